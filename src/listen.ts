import type { Config } from './config.ts';

type Address = Pick<Config, 'HOST' | 'PORT'>;

/** What to do about an address that cannot be listened on, by the system's name of the failure. */
const ADVICE: Record<string, (address: Address) => string> = {
  EADDRINUSE: ({ HOST, PORT }) =>
    `port ${PORT} of ${HOST} is in use by another process. Stop it, or set PORT to another one`,
  EADDRNOTAVAIL: ({ HOST }) =>
    `this machine has no address ${HOST}. Set HOST to one of its own, or to 0.0.0.0`,
  EACCES: ({ PORT }) => `this user may not listen on port ${PORT}. Set PORT to one from 1024 on`,
  ENOTFOUND: ({ HOST }) => `there is no host ${HOST}. Set HOST to an address of this machine`,
  EAI_AGAIN: ({ HOST }) => `the host ${HOST} is not known. Set HOST to an address of this machine`,
};

/**
 * Listens on the address of the settings.
 *
 * @throws Error that says why it cannot be listened on, and what to do
 */
export async function listen(
  app: { listen(options: { host: string; port: number }): Promise<string> },
  address: Address,
): Promise<void> {
  try {
    await app.listen({ host: address.HOST, port: address.PORT });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const advice = ADVICE[code];
    throw advice === undefined ? error : new Error(`${advice(address)} (${message})`, { cause: error });
  }
}
