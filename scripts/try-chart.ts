// `npm run test:helm`: lints and renders the chart with each file of its ci/ folder, and checks what comes out. Without helm it says so,
// and does nothing. What needs no helm is in test/deploy/.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const CHART = 'deploy/helm/forge';
// what helm renders for where no cluster is asked
const KUBERNETES = ['--kube-version', '1.30.0'];

function helm(...args: string[]) {
  return spawnSync('helm', args, { encoding: 'utf8' });
}

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()) }),
});

const deploymentSchema = z.looseObject({
  spec: z.looseObject({
    replicas: z.int().optional(),
    strategy: z.looseObject({ type: z.string() }),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.looseObject({
      metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.int(),
        securityContext: z.looseObject({ runAsNonRoot: z.literal(true), runAsUser: z.int().positive() }),
        volumes: z.array(z.looseObject({ name: z.literal('data') })).length(1),
        containers: z.tuple([
          z.looseObject({
            image: z.string(),
            env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
            envFrom: z.array(z.strictObject({ secretRef: z.strictObject({ name: z.string() }) })).optional(),
            securityContext: z.strictObject({
              allowPrivilegeEscalation: z.literal(false),
              readOnlyRootFilesystem: z.literal(true),
              capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
            }),
            startupProbe: z.looseObject({}),
            livenessProbe: z.looseObject({
              httpGet: z.strictObject({ path: z.literal('/healthz'), port: z.literal('http') }),
            }),
            readinessProbe: z.looseObject({
              httpGet: z.strictObject({ path: z.literal('/readyz'), port: z.literal('http') }),
            }),
            resources: z.looseObject({
              requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
              limits: z.strictObject({ memory: z.string() }),
            }),
          }),
        ]),
      }),
    }),
  }),
});

/** What the chart makes of a file of values. */
function render(values: string) {
  const file = `${CHART}/ci/${values}-values.yaml`;
  const linted = helm('lint', '--strict', ...KUBERNETES, '--values', file, CHART);
  assert.equal(linted.status, 0, linted.stdout + linted.stderr);
  const { status, stdout, stderr } = helm('template', 'forge', CHART, ...KUBERNETES, '--values', file);
  assert.equal(status, 0, stderr);
  const manifests = parseAllDocuments(stdout, { uniqueKeys: true }).map((document) => {
    assert.deepEqual(document.errors, []);
    return manifestSchema.parse(document.toJS());
  });
  const one = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
  const { spec } = deploymentSchema.parse(one('Deployment'));
  const [container] = spec.template.spec.containers;
  const settings = new Map(container.env.map(({ name, value }) => [name, value]));
  assert.equal(settings.size, container.env.length, 'a setting is given twice');
  for (const [name, value] of Object.entries(spec.selector.matchLabels)) {
    assert.equal(spec.template.metadata.labels[name], value, 'the selector does not select the pods');
  }
  const kinds = manifests.map(({ kind }) => kind).sort();
  return { kinds, one, spec, pod: spec.template.spec, container, settings };
}

/** Values that do not fit together are refused, with a reason. */
function refuses(reason: RegExp, ...set: string[]): void {
  const { status, stderr } = helm(
    'template',
    'forge',
    CHART,
    ...KUBERNETES,
    ...set.flatMap((each) => ['--set', each]),
  );
  assert.notEqual(status, 0, `rendered although: ${reason}`);
  assert.match(stderr, reason);
}

function checkServer(): void {
  const { kinds, one, spec, pod, container, settings } = render('server');
  assert.deepEqual(kinds, ['Deployment', 'PodDisruptionBudget', 'Secret', 'Service', 'ServiceAccount']);
  assert.equal(spec.replicas, 2);
  assert.equal(spec.strategy.type, 'RollingUpdate');
  assert.ok(pod.volumes[0] && 'emptyDir' in pod.volumes[0]);
  assert.deepEqual(container.envFrom, [{ secretRef: { name: 'forge' } }]);
  assert.deepEqual(Object.keys(z.record(z.string(), z.string()).parse(one('Secret')?.stringData)), [
    'ANTHROPIC_API_KEY',
    'DATABASE_URL',
    'FORGE_ADMIN_KEY',
  ]);
  assert.equal(settings.get('ALLOW_OPEN'), 'false');
  assert.ok(!settings.has('DATABASE_URL'), 'what is secret is in the Deployment');
  const stopSeconds = ['SHUTDOWN_DELAY_SECONDS', 'SHUTDOWN_SECONDS'].map((name) =>
    Number(settings.get(name)),
  );
  assert.ok(pod.terminationGracePeriodSeconds > stopSeconds.reduce((sum, seconds) => sum + seconds, 3));
}

function checkEmbedded(): void {
  const { kinds, one, spec, pod } = render('embedded');
  assert.deepEqual(kinds, ['Deployment', 'PersistentVolumeClaim', 'Secret', 'Service', 'ServiceAccount']);
  assert.equal(spec.replicas, 1);
  assert.equal(spec.strategy.type, 'Recreate');
  const claim = { claimName: one('PersistentVolumeClaim')?.metadata.name };
  assert.deepEqual(pod.volumes[0]?.persistentVolumeClaim, claim);
}

function checkEverything(): void {
  const { kinds, spec, pod, container, settings } = render('everything');
  const more = ['HorizontalPodAutoscaler', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget'];
  assert.deepEqual(kinds, ['Deployment', ...more, 'Service', 'ServiceAccount', 'ServiceMonitor']);
  assert.equal(spec.replicas, undefined, 'the autoscaler and the chart both set the number of replicas');
  assert.deepEqual(container.envFrom, [{ secretRef: { name: 'forge-settings' } }]);
  assert.match(container.image, /^registry\.example\/forge@sha256:/);
  assert.equal(settings.get('JOB_CONCURRENCY'), '4');
  assert.equal(pod.terminationGracePeriodSeconds, 80);
  const hosts = settings.get('ALLOWED_HOSTS')?.split(',') ?? [];
  for (const host of ['forge', 'forge.default.svc', 'forge.example', 'forge.internal'])
    assert.ok(hosts.includes(host), host);
}

function main(): void {
  if (helm('version').status !== 0) {
    console.log('chart: skipped, there is no helm');
    return;
  }
  checkServer();
  checkEmbedded();
  checkEverything();
  const database = 'secret.existing=settings';
  refuses(/give DATABASE_URL/);
  refuses(/for one instance/, 'database.embedded=true');
  refuses(/exclude each other/, database, 'secret.values.DATABASE_URL=postgres://db');
  refuses(/PORT is set by the chart/, database, 'settings.PORT=80');
  refuses(/name a host/, database, 'ingress.enabled=true');
  refuses(/replicas/, database, 'replicas=0');
  refuses(/replica/, database, 'replica=2');
  console.log(
    'chart: linted, rendered with three files of values, and refused seven that do not fit together',
  );
}

main();
