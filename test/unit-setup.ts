import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';

// What keeps the unit tests quick, and the same on every machine: whatever a database, a conversion or a model would
// begin with is refused in their processes.

function refuse(): never {
  throw new Error(
    'a unit test starts no database, process or thread and loads no model: name its file *.service.test.ts',
  );
}

const starters = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'];
Object.assign(childProcess, Object.fromEntries(starters.map((name) => [name, refuse])));
Object.assign(workerThreads, { Worker: refuse });
// native code: the runtime of models
process.dlopen = refuse;
syncBuiltinESMExports();
