"""The POSTs that do something each time they come: they take no idempotency key.

Made from clients/typescript/src/repeatable.ts by `npm run client:types`: changes belong there.
"""

DONE_EACH_TIME = frozenset({
    "/keys",
    "/webhooks",
    "/webhooks/{webhook_id}/rotate",
    "/webhooks/{webhook_id}/deliveries/{delivery_id}/retry",
    "/webhooks/{webhook_id}/test",
    "/projects/{project_id}/tools/{name}",
    "/mcp",
})
