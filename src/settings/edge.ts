import { hostNames, integer, networks, optional, origins, withDefault } from './schemas.ts';

/** The settings of what stands between the network and the operations. */
export const edgeSettings = {
  ALLOWED_HOSTS: withDefault(hostNames, ''),
  CORS_ORIGINS: optional(origins),
  TRUST_PROXY: withDefault(networks, ''),
  BODY_TIMEOUT_SECONDS: withDefault(integer(1, 86_400), 3_600),
  MIN_BODY_BYTES_PER_SECOND: withDefault(integer(0, 1_048_576), 1_024),
  MAX_CONNECTIONS: withDefault(integer(0, 1_000_000), 10_000),
  MAX_CONNECTIONS_PER_ADDRESS: withDefault(integer(0, 1_000_000), 2_000),
  MAX_EXPENSIVE_REQUESTS: withDefault(integer(0, 1_000_000), 500),
  MAX_EVENT_LOOP_DELAY_MS: withDefault(integer(0, 60_000), 1_000),
};
