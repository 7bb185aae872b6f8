import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';

/** The application as operations are added to it: their requests and answers have the types of their schemas. */
export type App = Parameters<FastifyPluginAsyncZod>[0];
