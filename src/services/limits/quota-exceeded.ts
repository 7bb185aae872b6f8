import type { QuotaName } from '../../contract/quota.ts';
import { AppError } from '../../errors.ts';

/** A workspace has no room for more. */
export function quotaExceeded(
  quota: QuotaName,
  { used, limit, resetsAt }: { used: number; limit: number; resetsAt?: Date },
): AppError {
  const until = resetsAt ? ` It begins anew at ${resetsAt.toISOString()}.` : '';
  return new AppError('quota_exceeded', {
    detail: `The quota "${quota}" of the workspace is ${limit}; it has ${used}, and this would go beyond.${until} GET /usage shows all of them.`,
    extra: { quota, used, limit, resets_at: resetsAt?.toISOString() ?? null },
  });
}
