/**
 * Makes a function that has work done, never twice at the same time. Asked for while it is being done, however often, it is
 * done once more afterwards: what was begun earlier may have missed the reason for asking.
 *
 * @param work must not reject
 */
export function oneAtATime(work: () => Promise<void>): () => void {
  let isWorking = false;
  let isAskedAgain = false;
  async function run(): Promise<void> {
    isWorking = true;
    do {
      isAskedAgain = false;
      await work();
    } while (isAskedAgain);
    isWorking = false;
  }
  return () => {
    if (isWorking) isAskedAgain = true;
    else void run();
  };
}
