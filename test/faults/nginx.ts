import { freePort, startProgram } from './program.ts';

/** As it comes, which is to say buffering, and with compression of everything; once with the service's say, once without. */
const configuration = (
  folder: string,
  upstream: string,
  ports: { heeding: number; deaf: number },
): string => `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log off; gzip on; gzip_types *; gzip_min_length 1;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  proxy_buffering on; proxy_buffers 8 64k;
  server { listen 127.0.0.1:${ports.heeding}; location / { proxy_pass ${upstream}; } }
  server {
    listen 127.0.0.1:${ports.deaf};
    location / { proxy_pass ${upstream}; proxy_ignore_headers X-Accel-Buffering; }
  }
}
`;

/** An nginx of one's own on the loopback interface, in a folder of its own, in front of a service. */
export async function startNginx(program: string, upstream: string) {
  const ports = { heeding: await freePort(), deaf: await freePort() };
  const { url, stop } = await startProgram({
    program,
    configuration: (folder) => configuration(folder, upstream, ports),
    args: (folder, file) => ['-p', folder, '-c', file],
    port: ports.heeding,
  });
  return { heeding: url, deaf: `http://127.0.0.1:${ports.deaf}`, stop };
}
