import { z } from 'zod';

/** A moment, as every object of the contract tells it. */
export const timeSchema = z.iso.datetime().describe('RFC 3339, UTC.');
