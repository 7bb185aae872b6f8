import { hostNames, optional, origins, withDefault } from './schemas.ts';

/** The settings of what stands between the network and the operations. */
export const edgeSettings = {
  ALLOWED_HOSTS: withDefault(hostNames, ''),
  CORS_ORIGINS: optional(origins),
};
