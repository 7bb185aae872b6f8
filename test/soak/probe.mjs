// Loaded into the service before anything of its own: tells its parent what the process holds, right after a collection of
// all garbage. Run with --expose-gc. Plain JavaScript: the service is run as it is built, without a loader.
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import pg from 'pg';

const timer = setTimeout(() => undefined, 0);
const Timeout = timer.constructor;
clearTimeout(timer);

/** Clients are only looked at while they live. */
const clients = new Set();
const connect = pg.Client.prototype.connect;
pg.Client.prototype.connect = function watched(...args) {
  clients.add(this);
  this.once('end', () => clients.delete(this));
  return connect.apply(this, args);
};

const count = (type) => queryObjects(type, { format: 'count' });
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

async function measure() {
  for (let pass = 0; pass < 3; pass++) {
    globalThis.gc();
    // finalizers run in a turn of their own, and what they let go of is for the next pass
    await turn();
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    rss,
    heapUsed,
    external,
    handles: process.getActiveResourcesInfo().length,
    timers: count(Timeout),
    sockets: count(Socket),
    emitters: count(EventEmitter),
    signals: count(AbortSignal),
    promises: count(Promise),
    listeners: sum(process.eventNames().map((name) => process.listenerCount(name))),
    statements: sum([...clients].map((client) => Object.keys(client.connection.parsedStatements).length)),
  };
}

// threads and processes that the service starts inherit the option that loads this
if (isMainThread && process.argv[1]?.endsWith('main.js')) {
  process.on('message', async () => process.send(await measure()));
  // the channel alone keeps no process alive
  process.channel.unref();
}
