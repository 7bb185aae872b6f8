export interface OutageLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** What is tried again and again: that it fails is logged once, and once that it does no more. */
export interface OutageLog {
  failed(err: unknown): void;
  succeeded(): void;
}

/**
 * Logs an outage as two lines, however often something is tried while it lasts.
 *
 * @param what is tried, as the subject of a sentence: `the look for changes of files`
 */
export function createOutageLog(log: OutageLogger, what: string): OutageLog {
  let failures = 0;
  return {
    failed(err) {
      failures += 1;
      if (failures === 1) log.warn({ err }, `${what} fails, and is tried again until it succeeds`);
    },
    succeeded() {
      if (failures > 0) log.info({ failures }, `${what} succeeds again`);
      failures = 0;
    },
  };
}
