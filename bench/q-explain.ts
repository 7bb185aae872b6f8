import { withBenchDatabase } from '/work/wt/queue/bench/bench-database.ts';
import { claimJob } from '/work/wt/queue/src/db/jobs.ts';
await withBenchDatabase('postgres://postgres@127.0.0.1:5512/postgres', async (db) => {
  await db.query(`insert into workspaces (workspace_id) values ('default') on conflict do nothing`).catch((e)=>console.log(e.message));
  await db.query(`insert into projects (workspace_id, project_id, name, kind, state) select 'default','p'||g,'p','project','{}' from generate_series(1,300) g`);
  await db.query(`insert into jobs (workspace_id, project_id, kind, subject, max_attempts, weight, run_at) select 'default', 'p'||(case when g<50000 then 1 else 1+g%300 end), 'ingest_file','f'||g,5,g%3, now()-g*interval '1 ms' from generate_series(1,100000) g`);
  await db.query('analyze jobs');
  for (const terms of [{leaseSeconds:60},{leaseSeconds:60, heaviest: 1 as const}]) {
    const t: number[]=[];
    for (let i=0;i<30;i++){const a=performance.now(); const j=await claimJob(db,'a',terms); t.push(performance.now()-a); if(i<3)console.log(j?.projectId,j?.weight);}
    t.sort((a,b)=>a-b); console.log('100k jobs, 300 projects: p50', t[15], 'max', t[29]);
  }
});
