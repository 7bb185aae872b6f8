import { packages, rooms } from './scripts/rooms.mjs';

/** The allow-list of scripts/rooms.mjs in the form that dependency-cruiser reads. */
const pathOf = (name) => {
  const room = rooms.find((each) => each.name === name);
  if (room === undefined) throw new Error(`scripts/rooms.mjs names a room that it does not have: ${name}`);
  return room.path;
};

const SOURCES = '^(src|clients/typescript/src)/';

const allowed = rooms.flatMap(({ name, path, imports }) => [
  { from: { path }, to: { path: pathOf(name) } },
  ...imports.map((target) => {
    const typesOnly = target.startsWith('types:');
    return {
      from: { path },
      to: {
        path: pathOf(target.replace('types:', '')),
        ...(typesOnly && { dependencyTypes: ['type-only'] }),
      },
    };
  }),
]);

export default {
  // what lies outside the rooms is the business of the rules below
  allowed: [...allowed, { from: { path: SOURCES }, to: { pathNot: SOURCES } }],
  allowedSeverity: 'error',
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { path: SOURCES }, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: { path: SOURCES }, to: { couldNotResolve: true } },
    {
      name: 'no-dev-dependency',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        pathNot: 'node_modules/(@types|tsx)/',
      },
    },
    {
      name: 'nothing-outside-src',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        pathNot: '^(src/|clients/typescript/src/|node_modules/|package\\.json$)',
        dependencyTypesNot: ['core'],
      },
    },
    // nothing of Node.js either: it runs wherever there is fetch
    {
      name: 'client-alone',
      severity: 'error',
      from: { path: pathOf('client') },
      to: { pathNot: pathOf('client') },
    },
    ...packages.flatMap(({ names, from }) =>
      names.map((name) => ({
        name: `${name}-in-its-place`,
        severity: 'error',
        from: { path: '^src/', pathNot: from },
        // a package without an entry of its own stands there by its name
        to: { path: `(^|node_modules/)${name}(/|$)` },
      })),
    ),
  ],
};
