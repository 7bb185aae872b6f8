import { describe, expect, it } from 'vitest';
import type { Facts, TableFacts } from '../../src/db/distribution/catalog.ts';
import { planDistribution } from '../../src/db/distribution/plan.ts';

const table = (name: string, more: Partial<TableFacts> = {}): TableFacts => ({
  name,
  placement: 'local',
  hasProject: true,
  hasLeftovers: false,
  ...more,
});

const facts = (more: Partial<Facts>): Facts => ({
  tables: [],
  keys: [],
  triggers: [],
  narrowKeys: [],
  policies: [],
  vectorIndexes: [],
  workers: 2,
  ...more,
});

describe('what is to be done to distribute tables', () => {
  it('puts projects first and the others beside it, and keeps keys between them alone', () => {
    const { statements, tables } = planDistribution(
      facts({
        tables: [table('files'), table('projects'), table('workspaces', { hasProject: false })],
        keys: [
          {
            table: 'files',
            references: 'projects',
            name: 'of_project',
            definition: 'FOREIGN KEY (a) REFERENCES projects',
          },
          {
            table: 'projects',
            references: 'workspaces',
            name: 'of_workspace',
            definition: 'FOREIGN KEY (b)',
          },
        ],
      }),
    );
    expect(statements).toEqual([
      'alter table files drop constraint of_project',
      'alter table projects drop constraint of_workspace',
      `select create_distributed_table('projects', 'project_id', colocate_with => 'none')`,
      `select create_distributed_table('files', 'project_id', colocate_with => 'projects')`,
      'alter table files add constraint of_project FOREIGN KEY (a) REFERENCES projects',
    ]);
    expect(tables.map(({ table: name, placement, isDone }) => [name, placement, isDone])).toEqual([
      ['files', 'distributed', false],
      ['projects', 'distributed', false],
      ['workspaces', 'local', true],
    ]);
    expect(tables[1]?.changes).toEqual([
      'of_workspace: dropped, the service removes what refers to workspaces',
    ]);
  });

  it('takes triggers off while rows are moved, and puts them back behind everything else', () => {
    const made = 'CREATE TRIGGER tell AFTER INSERT ON files FOR EACH ROW EXECUTE FUNCTION tell_of_file()';
    const { statements } = planDistribution(
      facts({ tables: [table('files')], triggers: [{ table: 'files', name: 'tell', definition: made }] }),
    );
    expect(statements[0]).toBe('drop trigger tell on files');
    expect(statements.at(-1)).toBe(made);
  });

  it('replaces a key that lacks the project where it is known how, and says what keeps its purpose', () => {
    const narrow = {
      table: 'projects',
      name: 'one_library_per_workspace',
      definition: '',
      isConstraint: false,
    };
    const { statements, tables } = planDistribution(
      facts({ tables: [table('projects')], narrowKeys: [narrow] }),
    );
    expect(statements).toContain('drop index one_library_per_workspace');
    expect(tables[0]?.changes.join()).toContain('every library has the same id');
    const unknown = { ...narrow, name: 'one_colour' };
    expect(() => planDistribution(facts({ tables: [table('projects')], narrowKeys: [unknown] }))).toThrow(
      'one_colour of projects stands in the way',
    );
  });

  it('does nothing where all is done, and only what is new after a migration', () => {
    const done = [
      table('projects', { placement: 'distributed' }),
      table('webhooks', { placement: 'reference', hasProject: false }),
    ];
    expect(planDistribution(facts({ tables: done })).statements).toEqual([]);
    expect(planDistribution(facts({ tables: [...done, table('made_later')] })).statements).toEqual([
      `select create_distributed_table('made_later', 'project_id', colocate_with => 'projects')`,
    ]);
  });

  it('does not move a table away from where it cannot be moved', () => {
    const strange = table('workspaces', { placement: 'reference', hasProject: false });
    expect(() => planDistribution(facts({ tables: [strange] }))).toThrow('cannot be made local');
  });
});
