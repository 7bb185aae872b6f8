import { constants } from 'node:os';

/*
 * The entry of the service. As process 1 of a container it would ignore these signals while its modules are read and its
 * database is opened: they end it at once, until the orderly shutdown takes over.
 */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const endAtOnce = (signal: (typeof SIGNALS)[number]): never => process.exit(128 + constants.signals[signal]);
for (const signal of SIGNALS) process.on(signal, endAtOnce);

const { serve } = await import('./serve.ts');
await serve({
  onStoppable: () => {
    for (const signal of SIGNALS) process.off(signal, endAtOnce);
  },
});
