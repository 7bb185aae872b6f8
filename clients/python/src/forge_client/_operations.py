"""A method for each operation of the contract.

Made from openapi/openapi.json by `npm run client:types`: changes belong there.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from typing import Any, Literal

from . import types as t
from ._calls import AsyncCalls, Calls, Content, Headers


class Operations(Calls):
    """The operations of the contract, by their names."""

    def get_health(
        self,
        *,
        headers: Headers | None = None,
    ) -> t.Health:
        """Is the process alive?

        For liveness probes: answers as long as the process does, whatever else is broken."""
        answer: t.Health = self.call(
            "GET",
            "/healthz",
            headers=headers,
        )
        return answer

    def get_readiness(
        self,
        *,
        headers: Headers | None = None,
    ) -> t.Readiness:
        """Can it do its work?

        For readiness probes and for people: 200 when the database answers, 503 when not, and which database, embedding model and language models are in use. `degraded` is 200 too: something of a provider fails, the reasons say what and what to do, and it is over with its next call that comes through."""
        answer: t.Readiness = self.call(
            "GET",
            "/readyz",
            expects=503,
            headers=headers,
        )
        return answer

    def get_metrics(
        self,
        *,
        headers: Headers | None = None,
    ) -> str:
        """Numbers for Prometheus.

        Of this process since its start, in the text format of Prometheus: requests, turns, jobs, the queue, providers, tokens and their cost, the database, child processes, memory. Numbers only, nothing of any document."""
        response = self.send(
            "GET",
            "/metrics",
            headers=headers,
        )
        return response.text

    def get_version(
        self,
        *,
        headers: Headers | None = None,
    ) -> t.Version:
        """Which version is running?

        The version of the service and of Node.js, and which models it works with."""
        answer: t.Version = self.call(
            "GET",
            "/version",
            headers=headers,
        )
        return answer

    def get_problem_type(
        self,
        code: str,
        *,
        headers: Headers | None = None,
    ) -> t.ProblemType:
        """What does a problem mean?

        The address that the `type` of a problem document names."""
        answer: t.ProblemType = self.call(
            "GET",
            "/problems/{code}",
            path={"code": code},
            headers=headers,
        )
        return answer

    def create_key(
        self,
        body: t.CreateKeyBody,
        *,
        headers: Headers | None = None,
    ) -> t.NewApiKey:
        """Make an API key.

        The answer has the key, this once: only a digest of it is kept. It can have no scope that yours lacks. From the first key on, every operation but health and the contract asks for one; so the first has to have the scope `service` and no expiry. Takes no `Idempotency-Key`, since the answer is not kept."""
        answer: t.NewApiKey = self.call(
            "POST",
            "/keys",
            body=body,
            headers=headers,
        )
        return answer

    def list_keys(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        workspace: str | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.ApiKey, None, None]:
        """List API keys.

        Those of the workspace, in order of creation, without the keys themselves."""
        return self.iterate(
            "/keys",
            query={"limit": limit, "after": after, "order": order, "workspace": workspace},
            headers=headers,
        )

    def revoke_key(
        self,
        id: str,
        *,
        workspace: str | None = None,
        force: bool | None = None,
        headers: Headers | None = None,
    ) -> t.ApiKeyDeletion:
        """Revoke an API key.

        Its next request is refused: at once by the process that answers this, and within a second by others on the same database. The last key that can make others stays, unless you say `force=true`."""
        answer: t.ApiKeyDeletion = self.call(
            "DELETE",
            "/keys/{id}",
            path={"id": id},
            query={"workspace": workspace, "force": force},
            headers=headers,
        )
        return answer

    def create_workspace(
        self,
        body: t.CreateWorkspaceBody,
        *,
        headers: Headers | None = None,
    ) -> t.Workspace:
        """Create a workspace.

        A tenant with projects, a library and keys of its own. Nobody is in it before `POST /keys` has made a key for it, with `workspace`."""
        answer: t.Workspace = self.call(
            "POST",
            "/workspaces",
            body=body,
            headers=headers,
        )
        return answer

    def list_workspaces(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.Workspace, None, None]:
        """List workspaces.

        All of them, in order of creation."""
        return self.iterate(
            "/workspaces",
            query={"limit": limit, "after": after, "order": order},
            headers=headers,
        )

    def get_workspace(
        self,
        workspace_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.Workspace:
        """Get a workspace.

        Its name, since when there is one, what it may hold and spend, and what it does."""
        answer: t.Workspace = self.call(
            "GET",
            "/workspaces/{workspace_id}",
            path={"workspace_id": workspace_id},
            headers=headers,
        )
        return answer

    def change_workspace(
        self,
        workspace_id: str,
        body: t.ChangeWorkspaceBody,
        *,
        headers: Headers | None = None,
    ) -> t.Workspace:
        """Rename a workspace, or set its quotas.

        What it may hold, and spend in a month. What it has already stays, and what is under way goes on, beyond its quotas too; what would add to it is refused with `quota_exceeded`. Other instances know of it within a second."""
        answer: t.Workspace = self.call(
            "PATCH",
            "/workspaces/{workspace_id}",
            path={"workspace_id": workspace_id},
            body=body,
            headers=headers,
        )
        return answer

    def delete_workspace(
        self,
        workspace_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.WorkspaceDeletion:
        """Delete a workspace.

        Removes its projects, its library, its keys and its audit log, and ends what runs of them. There is no way back."""
        answer: t.WorkspaceDeletion = self.call(
            "DELETE",
            "/workspaces/{workspace_id}",
            path={"workspace_id": workspace_id},
            headers=headers,
        )
        return answer

    def list_audit_events(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        since: str | None = None,
        until: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.AuditEvent, None, None]:
        """Who did what?

        What was made, changed, deleted or exported in the workspace, by whom and with what outcome, refusals included; never what was in it. What an administrator of the service does to it from another workspace is there, too."""
        return self.iterate(
            "/audit",
            query={"limit": limit, "after": after, "order": order, "since": since, "until": until, "actor": actor, "action": action},
            headers=headers,
        )

    def export_audit_events(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        headers: Headers | None = None,
    ) -> str:
        """Export the audit log.

        All of it, or what the filter leaves, as JSON Lines: an event a line, oldest first."""
        response = self.send(
            "GET",
            "/audit/export",
            query={"since": since, "until": until, "actor": actor, "action": action},
            headers=headers,
        )
        return response.text

    def create_webhook(
        self,
        body: t.CreateWebhookBody,
        *,
        headers: Headers | None = None,
    ) -> t.NewWebhook:
        """Make a webhook.

        Has events posted to an address, signed by Standard Webhooks. The answer has the secret, this once. Each message is delivered at least once: answer with 2xx within some seconds, and tell repeats apart by `webhook-id`. Takes no `Idempotency-Key`, since the answer is not kept."""
        answer: t.NewWebhook = self.call(
            "POST",
            "/webhooks",
            body=body,
            headers=headers,
        )
        return answer

    def list_webhooks(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.Webhook, None, None]:
        """List webhooks.

        Those of the workspace, in order of creation, without their secrets."""
        return self.iterate(
            "/webhooks",
            query={"limit": limit, "after": after, "order": order},
            headers=headers,
        )

    def get_webhook(
        self,
        webhook_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.Webhook:
        """Get a webhook.

        What it is sent and whether it is enabled, without its secret."""
        answer: t.Webhook = self.call(
            "GET",
            "/webhooks/{webhook_id}",
            path={"webhook_id": webhook_id},
            headers=headers,
        )
        return answer

    def update_webhook(
        self,
        webhook_id: str,
        body: t.UpdateWebhookBody,
        *,
        headers: Headers | None = None,
    ) -> t.Webhook:
        """Change a webhook.

        Changes what is given. One that was disabled is enabled again by `{"status":"enabled"}`: what it was not sent meanwhile is in the feeds of the projects; what was pending is sent."""
        answer: t.Webhook = self.call(
            "PATCH",
            "/webhooks/{webhook_id}",
            path={"webhook_id": webhook_id},
            body=body,
            headers=headers,
        )
        return answer

    def delete_webhook(
        self,
        webhook_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.WebhookDeletion:
        """Delete a webhook.

        It is sent nothing any more; the log of its deliveries goes with it."""
        answer: t.WebhookDeletion = self.call(
            "DELETE",
            "/webhooks/{webhook_id}",
            path={"webhook_id": webhook_id},
            headers=headers,
        )
        return answer

    def rotate_webhook_secret(
        self,
        webhook_id: str,
        *,
        overlap_hours: int | None = None,
        headers: Headers | None = None,
    ) -> t.NewWebhook:
        """Give a webhook another secret.

        The answer has the new secret, this once. For a while messages are signed with both, so that receivers can change over."""
        answer: t.NewWebhook = self.call(
            "POST",
            "/webhooks/{webhook_id}/rotate",
            path={"webhook_id": webhook_id},
            query={"overlap_hours": overlap_hours},
            headers=headers,
        )
        return answer

    def list_webhook_deliveries(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        status: Literal["pending", "delivered", "failed"] | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.WebhookDelivery, None, None]:
        """List deliveries.

        The messages to a webhook with what became of each: attempts, statuses, times; kept for `RETENTION_FEED_DAYS`. Newest first with `order=desc`."""
        return self.iterate(
            "/webhooks/{webhook_id}/deliveries",
            path={"webhook_id": webhook_id},
            query={"limit": limit, "after": after, "order": order, "status": status},
            headers=headers,
        )

    def retry_webhook_delivery(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.WebhookDelivery:
        """Send a message again.

        Whatever became of it: at once, with the same `webhook-id` and body, and with all attempts ahead of it."""
        answer: t.WebhookDelivery = self.call(
            "POST",
            "/webhooks/{webhook_id}/deliveries/{delivery_id}/retry",
            path={"webhook_id": webhook_id, "delivery_id": delivery_id},
            headers=headers,
        )
        return answer

    def test_webhook(
        self,
        webhook_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.WebhookDelivery:
        """Send a test.

        Sends an event of the type `webhook.test`, whatever types were chosen, like any other: signed, retried, logged."""
        answer: t.WebhookDelivery = self.call(
            "POST",
            "/webhooks/{webhook_id}/test",
            path={"webhook_id": webhook_id},
            headers=headers,
        )
        return answer

    def get_knowledge(
        self,
        *,
        headers: Headers | None = None,
    ) -> t.Knowledge:
        """List the knowledge.

        Core instructions, probes, patterns and risks of both modes, without the full texts of the entries."""
        answer: t.Knowledge = self.call(
            "GET",
            "/knowledge",
            headers=headers,
        )
        return answer

    def get_probe(
        self,
        mode: str,
        key: str,
        *,
        headers: Headers | None = None,
    ) -> t.Probe:
        """Get a probe.

        A line of questioning with its full text."""
        answer: t.Probe = self.call(
            "GET",
            "/knowledge/{mode}/probes/{key}",
            path={"mode": mode, "key": key},
            headers=headers,
        )
        return answer

    def get_pattern(
        self,
        mode: str,
        key: str,
        *,
        headers: Headers | None = None,
    ) -> t.Pattern:
        """Get a pattern.

        A recurring organisational problem with its full text."""
        answer: t.Pattern = self.call(
            "GET",
            "/knowledge/{mode}/patterns/{key}",
            path={"mode": mode, "key": key},
            headers=headers,
        )
        return answer

    def create_project(
        self,
        body: t.CreateProjectBody,
        *,
        headers: Headers | None = None,
    ) -> t.Project:
        """Create a project.

        The first call of all. Give a name; the id is made from it unless you choose one."""
        answer: t.Project = self.call(
            "POST",
            "/projects",
            body=body,
            headers=headers,
        )
        return answer

    def list_projects(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        name: str | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.Project, None, None]:
        """List projects.

        In order of creation, page by page; narrow it by `name`. Cursors belong to the list that you narrowed."""
        return self.iterate(
            "/projects",
            query={"limit": limit, "after": after, "order": order, "name": name},
            headers=headers,
        )

    def get_project(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.Project:
        """Get a project.

        Its name and where it stands; the state has an address of its own."""
        answer: t.Project = self.call(
            "GET",
            "/projects/{project_id}",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    def rename_project(
        self,
        project_id: str,
        body: t.RenameProjectBody,
        *,
        headers: Headers | None = None,
    ) -> t.Project:
        """Change a project.

        Changes the name for people, and whether a model writes a context for each leaf of the files that come from now on; what is left out stays, and so does the id. Files that are there get or lose their contexts by `files:contexts`, which says before what that costs."""
        answer: t.Project = self.call(
            "PATCH",
            "/projects/{project_id}",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    def delete_project(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ProjectDeletion:
        """Delete a project.

        Removes every row and vector that came from the project, in one transaction, and answers with a receipt. There is no way back."""
        answer: t.ProjectDeletion = self.call(
            "DELETE",
            "/projects/{project_id}",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    def get_state(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ProjectState:
        """Get the state.

        Organisational context, assumption register, document skeleton, routing, file summaries. The `ETag` names what you read; send it as `If-Match` when you change it, or as `If-None-Match` to be told 304 when nothing changed."""
        answer: t.ProjectState = self.call(
            "GET",
            "/projects/{project_id}/state",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    def change_state(
        self,
        project_id: str,
        body: t.ProjectStatePatch,
        *,
        headers: Headers | None = None,
    ) -> t.ProjectState:
        """Change the state.

        A JSON Merge Patch (RFC 7396): members replace, null removes, arrays are replaced whole. With `If-Match`, the change is made only if the state is still the one you read; a stale one gets 412. `file_summaries`, `turn_count`, `schema_version` and `routing.conversation_summary` are derived and cannot be written; the summary may be sent back as it was read. A skeleton field takes a string or `{"value": "..."}`; its history is kept."""
        answer: t.ProjectState = self.call(
            "PATCH",
            "/projects/{project_id}/state",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    def get_assumptions(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.AssumptionRegister:
        """Get the assumption register.

        Every assumption with its confidence, impact, status, dependencies and evidence."""
        answer: t.AssumptionRegister = self.call(
            "GET",
            "/projects/{project_id}/state/assumptions",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    def get_skeleton(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.DocumentSkeleton:
        """Get the document skeleton.

        The named fields that are known so far, each with the turn that set it and its history."""
        answer: t.DocumentSkeleton = self.call(
            "GET",
            "/projects/{project_id}/state/skeleton",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    def list_staleness(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ListStalenessAnswer:
        """List what is stale.

        Assumptions, skeleton fields and file summaries that were taken from a version of a file that is no longer the searchable one. A later turn or a change of the state that confirms them clears the mark; a file summary is made again by itself."""
        answer: t.ListStalenessAnswer = self.call(
            "GET",
            "/projects/{project_id}/staleness",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    def get_workspace_usage(
        self,
        *,
        headers: Headers | None = None,
    ) -> t.WorkspaceUsage:
        """What your workspace holds, has under way and has spent.

        Projects, files, bytes and keys, turns and research runs that are under way, and the tokens and US dollars of this month in UTC, each with its limit. What was deleted since counts as spent; so does a turn that failed."""
        answer: t.WorkspaceUsage = self.call(
            "GET",
            "/usage",
            headers=headers,
        )
        return answer

    def get_usage(
        self,
        project_id: str,
        *,
        since: str | None = None,
        headers: Headers | None = None,
    ) -> t.ProjectUsage:
        """What the project has used.

        Tokens, calls and estimated cost by model and by phase: routing, answers and summaries of turns, summaries and embeddings of files, embeddings of queries. Counted by the providers; failed and cancelled turns count too."""
        answer: t.ProjectUsage = self.call(
            "GET",
            "/projects/{project_id}/usage",
            path={"project_id": project_id},
            query={"since": since},
            headers=headers,
        )
        return answer

    def get_library_usage(
        self,
        *,
        since: str | None = None,
        headers: Headers | None = None,
    ) -> t.LibraryUsage:
        """What the library has used.

        Tokens, calls and estimated cost by model and by phase: summaries and embeddings of its files. A turn that uses the library counts for its project."""
        answer: t.LibraryUsage = self.call(
            "GET",
            "/library/usage",
            query={"since": since},
            headers=headers,
        )
        return answer

    def list_artifacts(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ListArtifactsAnswer:
        """List the artifacts.

        The documents that are rendered from the state."""
        answer: t.ListArtifactsAnswer = self.call(
            "GET",
            "/projects/{project_id}/artifacts",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    def get_artifact(
        self,
        project_id: str,
        artifact: str,
        *,
        headers: Headers | None = None,
    ) -> str:
        """Read an artifact.

        Markdown, rendered from the state as it is now; the same state gives the same text."""
        response = self.send(
            "GET",
            "/projects/{project_id}/artifacts/{artifact}",
            path={"project_id": project_id, "artifact": artifact},
            headers=headers,
        )
        return response.text

    def verify_citations(
        self,
        project_id: str,
        body: t.VerifyCitationsBody,
        *,
        headers: Headers | None = None,
    ) -> t.VerifyCitationsAnswer:
        """Check citations.

        Looks for quotes, as turns return them in `citations`, in the files as they are now: whether the words still stand there, where they have moved, or that they are gone; and, where a citation has its `claim`, whether the section they stand in still supports it. The answers are in the order of the citations."""
        answer: t.VerifyCitationsAnswer = self.call(
            "POST",
            "/projects/{project_id}/citations:verify",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    def list_files(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        status: Literal["queued", "in_progress", "completed", "failed"] | None = None,
        q: str | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.StoredFile, None, None]:
        """List the files.

        In order of their first upload, failed ones included; narrow it by `status`, and by `q` to those that speak of something. Cursors belong to the list that you narrowed."""
        return self.iterate(
            "/projects/{project_id}/files",
            path={"project_id": project_id},
            query={"limit": limit, "after": after, "order": order, "status": status, "q": q},
            headers=headers,
        )

    def put_file_content(
        self,
        project_id: str,
        name: str,
        content: Content,
        *,
        min_fidelity: float | None = None,
        contextual: bool | None = None,
        chunking: str | None = None,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Replace the content.

        The body is the file, with any content type. Makes a new version, or the file where there is none (201); the same bytes again make no work. `If-Match` with the ETag of the content replaces only what you have read; `If-None-Match: *` only makes. Edits close after each other are read together: a rebuild begins 750 ms after the last of them, at most once in 5 s, and the version before stays readable, marked as stale, until it is done. Waits and answers like an upload."""
        answer: t.StoredFile = self.call(
            "PUT",
            "/projects/{project_id}/files/{name}/content",
            path={"project_id": project_id, "name": name},
            query={"min_fidelity": min_fidelity, "contextual": contextual, "chunking": chunking},
            content=content,
            media_type="application/octet-stream",
            headers=headers,
        )
        return answer

    def get_file_content(
        self,
        project_id: str,
        name: str,
        *,
        version: int | None = None,
        headers: Headers | None = None,
    ) -> bytes:
        """Download the original.

        The bytes of the newest upload exactly as they came, whether or not they could be read; `version` reads an earlier one. A single `Range` of bytes is honoured."""
        response = self.send(
            "GET",
            "/projects/{project_id}/files/{name}/content",
            path={"project_id": project_id, "name": name},
            query={"version": version},
            headers=headers,
        )
        return response.content

    def get_file(
        self,
        project_id: str,
        name: str,
        *,
        wait: int | None = None,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Get a file.

        Its status, progress, figures, summary, fidelity and, where it failed, why. With `wait` it answers when the file is completed or failed, or when the time is up; without, as it is now."""
        answer: t.StoredFile = self.call(
            "GET",
            "/projects/{project_id}/files/{name}",
            path={"project_id": project_id, "name": name},
            query={"wait": wait},
            headers=headers,
        )
        return answer

    def rename_file(
        self,
        project_id: str,
        name: str,
        body: t.RenameFileBody,
        *,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Rename a file.

        Changes the name under which the file is addressed, listed and quoted from now on, without reading it again: its versions, vectors, summary and outline stay, and what the project knows of it goes on under the new name. The ending must be one of the same format. Ids of leaves and pointers are made from the name and change with it; turns that quoted the file keep what they said. `If-Match` with the ETag of the file renames only what you have read."""
        answer: t.StoredFile = self.call(
            "PATCH",
            "/projects/{project_id}/files/{name}",
            path={"project_id": project_id, "name": name},
            body=body,
            headers=headers,
        )
        return answer

    def delete_file(
        self,
        project_id: str,
        name: str,
        *,
        headers: Headers | None = None,
    ) -> t.FileDeletion:
        """Delete a file.

        Removes its bytes, versions, parents, leaves, vectors and summary in one transaction; the very next search does not find it. Turns that quoted it keep their text. Answers with a receipt."""
        answer: t.FileDeletion = self.call(
            "DELETE",
            "/projects/{project_id}/files/{name}",
            path={"project_id": project_id, "name": name},
            headers=headers,
        )
        return answer

    def delete_files(
        self,
        project_id: str,
        body: t.DeleteFilesBody,
        *,
        headers: Headers | None = None,
    ) -> t.FilesDeletion:
        """Delete several files.

        Deletes up to 1,000 files by name in one transaction: all of them, or none where one of the names is of no file. Answers with a receipt for each."""
        answer: t.FilesDeletion = self.call(
            "POST",
            "/projects/{project_id}/files:delete",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    def retry_file(
        self,
        project_id: str,
        name: str,
        *,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Retry a failed file.

        Ingests the stored bytes again. Only a failed file can be retried."""
        answer: t.StoredFile = self.call(
            "POST",
            "/projects/{project_id}/files/{name}/retry",
            path={"project_id": project_id, "name": name},
            headers=headers,
        )
        return answer

    def retry_failed_files(
        self,
        project_id: str,
        *,
        code: str | None = None,
        retryable: bool | None = None,
        headers: Headers | None = None,
    ) -> t.FilesRetried:
        """Retry all failed files.

        Ingests the stored bytes of every failed file again, or of those that failed in one way: after an outage, say, `code=embedding_unavailable`. Answers at once with their names; an empty list when nothing had failed."""
        answer: t.FilesRetried = self.call(
            "POST",
            "/projects/{project_id}/files:retry",
            path={"project_id": project_id},
            query={"code": code, "retryable": retryable},
            headers=headers,
        )
        return answer

    def cancel_file(
        self,
        project_id: str,
        name: str,
        *,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Cancel an ingestion.

        Ends the ingestion of a queued file or of one in progress. The file is `failed` with the code `cancelled`; its bytes are kept, what was searchable before stays so, the words of a version whose vectors are still coming included, and it can be retried. Whatever the work under way still brings is thrown away. A version that has its vectors already is completed without its summary."""
        answer: t.StoredFile = self.call(
            "POST",
            "/projects/{project_id}/files/{name}/cancel",
            path={"project_id": project_id, "name": name},
            headers=headers,
        )
        return answer

    def apply_contexts(
        self,
        project_id: str,
        body: t.ApplyContextsBody,
        *,
        headers: Headers | None = None,
    ) -> t.ContextsPlan:
        """Write or remove contexts.

        Brings the contexts of files that are there in line with what is set: a model writes those that leaves lack, where the file, its project or the service wants them, and those of files that are to have none are taken away. Leaves that have one are not written again. With `dry_run` nothing is done, and the answer says what it takes: calls, tokens and price. Otherwise the work begins, and `contexts` of each file says how far it is; files are searched meanwhile."""
        answer: t.ContextsPlan = self.call(
            "POST",
            "/projects/{project_id}/files:contexts",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    def get_file_markdown(
        self,
        project_id: str,
        name: str,
        *,
        version: int | None = None,
        headers: Headers | None = None,
    ) -> str:
        """Read it as Markdown.

        What the document became: the text that sections, leaves and citations have their character ranges in. `version` reads an earlier one."""
        response = self.send(
            "GET",
            "/projects/{project_id}/files/{name}/markdown",
            path={"project_id": project_id, "name": name},
            query={"version": version},
            headers=headers,
        )
        return response.text

    def get_file_fidelity(
        self,
        project_id: str,
        name: str,
        *,
        version: int | None = None,
        headers: Headers | None = None,
    ) -> t.FidelityReport:
        """Read the fidelity report.

        What the conversion of the newest version that was converted kept and lost, also where the file failed as `low_fidelity`; `version` reads an earlier one."""
        answer: t.FidelityReport = self.call(
            "GET",
            "/projects/{project_id}/files/{name}/fidelity",
            path={"project_id": project_id, "name": name},
            query={"version": version},
            headers=headers,
        )
        return answer

    def list_leaves(
        self,
        project_id: str,
        name: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.Leaf, None, None]:
        """List the leaves.

        What is embedded and searched, in document order, each with its exact range in the Markdown."""
        return self.iterate(
            "/projects/{project_id}/files/{name}/leaves",
            path={"project_id": project_id, "name": name},
            query={"limit": limit, "after": after, "order": order},
            headers=headers,
        )

    def get_outline(
        self,
        project_id: str,
        name: str,
        *,
        levels: int | None = None,
        include_blurbs: bool | None = None,
        max_nodes: int | None = None,
        max_tokens: int | None = None,
        headers: Headers | None = None,
    ) -> t.Outline:
        """Read the outline.

        The headings of a Markdown or Word document, the keys of YAML and JSON, the rows of a CSV file by hundreds, the paragraphs of a text, the pages of a PDF: each with its range, its size and a pointer that reads it. Whatever is wrong with the document is a `state`, not an error."""
        answer: t.Outline = self.call(
            "GET",
            "/projects/{project_id}/files/{name}/outline",
            path={"project_id": project_id, "name": name},
            query={"levels": levels, "include_blurbs": include_blurbs, "max_nodes": max_nodes, "max_tokens": max_tokens},
            headers=headers,
        )
        return answer

    def find_sections(
        self,
        project_id: str,
        name: str,
        body: t.FindSectionsBody,
        *,
        headers: Headers | None = None,
    ) -> t.Sections:
        """Find sections of a file.

        Which sections of one document to read for a question: pointers with a confidence, a preview and their size, not the text. Sections under `min_confidence` are left out."""
        answer: t.Sections = self.call(
            "POST",
            "/projects/{project_id}/files/{name}/sections",
            path={"project_id": project_id, "name": name},
            body=body,
            headers=headers,
        )
        return answer

    def read_pointer(
        self,
        project_id: str,
        pointer_id: str,
        *,
        max_tokens: int | None = None,
        continuation: str | None = None,
        headers: Headers | None = None,
    ) -> t.Pointer:
        """Read what a pointer names.

        The text of a section or a chunk, at most `max_tokens` of it; `continuation` reads on. A pointer stays valid in later versions while its section (its heading, and its text down to the next heading) is unchanged; after that it is `gone`, with the nearest heading that is left."""
        answer: t.Pointer = self.call(
            "GET",
            "/projects/{project_id}/pointers/{pointer_id}",
            path={"project_id": project_id, "pointer_id": pointer_id},
            query={"max_tokens": max_tokens, "continuation": continuation},
            headers=headers,
        )
        return answer

    def list_events(
        self,
        project_id: str,
        *,
        after: Literal["now"] | int | None = None,
        limit: int | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.ProjectEvent, None, None]:
        """List or follow what changes.

        Everything that changes, in the order in which it was committed, with names, numbers and addresses, nothing of any content. As JSON: the events after a number, oldest first; go on with `last_id`. With `Accept: text/event-stream`: those there are, then those that come, without an end until the project is deleted; a client that reconnects sends `Last-Event-ID` and misses nothing. Events are kept for `RETENTION_FEED_DAYS`: whoever asks for some that are gone is told so, by `is_trimmed` or by a first event `feed.trimmed`."""
        return self.iterate(
            "/projects/{project_id}/events",
            path={"project_id": project_id},
            query={"after": after, "limit": limit},
            headers=headers,
        )

    def verify_library_citations(
        self,
        body: t.VerifyLibraryCitationsBody,
        *,
        headers: Headers | None = None,
    ) -> t.VerifyLibraryCitationsAnswer:
        """Check citations (library).

        In the library that all projects of the workspace share. Looks for quotes, as turns return them in `citations`, in the files as they are now: whether the words still stand there, where they have moved, or that they are gone; and, where a citation has its `claim`, whether the section they stand in still supports it. The answers are in the order of the citations."""
        answer: t.VerifyLibraryCitationsAnswer = self.call(
            "POST",
            "/library/citations:verify",
            body=body,
            headers=headers,
        )
        return answer

    def list_library_files(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        status: Literal["queued", "in_progress", "completed", "failed"] | None = None,
        q: str | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.StoredFile, None, None]:
        """List the files (library).

        In the library that all projects of the workspace share. In order of their first upload, failed ones included; narrow it by `status`, and by `q` to those that speak of something. Cursors belong to the list that you narrowed."""
        return self.iterate(
            "/library/files",
            query={"limit": limit, "after": after, "order": order, "status": status, "q": q},
            headers=headers,
        )

    def put_library_file_content(
        self,
        name: str,
        content: Content,
        *,
        min_fidelity: float | None = None,
        contextual: bool | None = None,
        chunking: str | None = None,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Replace the content (library).

        In the library that all projects of the workspace share. The body is the file, with any content type. Makes a new version, or the file where there is none (201); the same bytes again make no work. `If-Match` with the ETag of the content replaces only what you have read; `If-None-Match: *` only makes. Edits close after each other are read together: a rebuild begins 750 ms after the last of them, at most once in 5 s, and the version before stays readable, marked as stale, until it is done. Waits and answers like an upload."""
        answer: t.StoredFile = self.call(
            "PUT",
            "/library/files/{name}/content",
            path={"name": name},
            query={"min_fidelity": min_fidelity, "contextual": contextual, "chunking": chunking},
            content=content,
            media_type="application/octet-stream",
            headers=headers,
        )
        return answer

    def get_library_file_content(
        self,
        name: str,
        *,
        version: int | None = None,
        headers: Headers | None = None,
    ) -> bytes:
        """Download the original (library).

        In the library that all projects of the workspace share. The bytes of the newest upload exactly as they came, whether or not they could be read; `version` reads an earlier one. A single `Range` of bytes is honoured."""
        response = self.send(
            "GET",
            "/library/files/{name}/content",
            path={"name": name},
            query={"version": version},
            headers=headers,
        )
        return response.content

    def get_library_file(
        self,
        name: str,
        *,
        wait: int | None = None,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Get a file (library).

        In the library that all projects of the workspace share. Its status, progress, figures, summary, fidelity and, where it failed, why. With `wait` it answers when the file is completed or failed, or when the time is up; without, as it is now."""
        answer: t.StoredFile = self.call(
            "GET",
            "/library/files/{name}",
            path={"name": name},
            query={"wait": wait},
            headers=headers,
        )
        return answer

    def rename_library_file(
        self,
        name: str,
        body: t.RenameLibraryFileBody,
        *,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Rename a file (library).

        In the library that all projects of the workspace share. Changes the name under which the file is addressed, listed and quoted from now on, without reading it again: its versions, vectors, summary and outline stay, and what the project knows of it goes on under the new name. The ending must be one of the same format. Ids of leaves and pointers are made from the name and change with it; turns that quoted the file keep what they said. `If-Match` with the ETag of the file renames only what you have read."""
        answer: t.StoredFile = self.call(
            "PATCH",
            "/library/files/{name}",
            path={"name": name},
            body=body,
            headers=headers,
        )
        return answer

    def delete_library_file(
        self,
        name: str,
        *,
        headers: Headers | None = None,
    ) -> t.FileDeletion:
        """Delete a file (library).

        In the library that all projects of the workspace share. Removes its bytes, versions, parents, leaves, vectors and summary in one transaction; the very next search does not find it. Turns that quoted it keep their text. Answers with a receipt."""
        answer: t.FileDeletion = self.call(
            "DELETE",
            "/library/files/{name}",
            path={"name": name},
            headers=headers,
        )
        return answer

    def delete_library_files(
        self,
        body: t.DeleteLibraryFilesBody,
        *,
        headers: Headers | None = None,
    ) -> t.FilesDeletion:
        """Delete several files (library).

        In the library that all projects of the workspace share. Deletes up to 1,000 files by name in one transaction: all of them, or none where one of the names is of no file. Answers with a receipt for each."""
        answer: t.FilesDeletion = self.call(
            "POST",
            "/library/files:delete",
            body=body,
            headers=headers,
        )
        return answer

    def retry_library_file(
        self,
        name: str,
        *,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Retry a failed file (library).

        In the library that all projects of the workspace share. Ingests the stored bytes again. Only a failed file can be retried."""
        answer: t.StoredFile = self.call(
            "POST",
            "/library/files/{name}/retry",
            path={"name": name},
            headers=headers,
        )
        return answer

    def retry_library_failed_files(
        self,
        *,
        code: str | None = None,
        retryable: bool | None = None,
        headers: Headers | None = None,
    ) -> t.FilesRetried:
        """Retry all failed files (library).

        In the library that all projects of the workspace share. Ingests the stored bytes of every failed file again, or of those that failed in one way: after an outage, say, `code=embedding_unavailable`. Answers at once with their names; an empty list when nothing had failed."""
        answer: t.FilesRetried = self.call(
            "POST",
            "/library/files:retry",
            query={"code": code, "retryable": retryable},
            headers=headers,
        )
        return answer

    def cancel_library_file(
        self,
        name: str,
        *,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Cancel an ingestion (library).

        In the library that all projects of the workspace share. Ends the ingestion of a queued file or of one in progress. The file is `failed` with the code `cancelled`; its bytes are kept, what was searchable before stays so, the words of a version whose vectors are still coming included, and it can be retried. Whatever the work under way still brings is thrown away. A version that has its vectors already is completed without its summary."""
        answer: t.StoredFile = self.call(
            "POST",
            "/library/files/{name}/cancel",
            path={"name": name},
            headers=headers,
        )
        return answer

    def apply_library_contexts(
        self,
        body: t.ApplyLibraryContextsBody,
        *,
        headers: Headers | None = None,
    ) -> t.ContextsPlan:
        """Write or remove contexts (library).

        In the library that all projects of the workspace share. Brings the contexts of files that are there in line with what is set: a model writes those that leaves lack, where the file, its project or the service wants them, and those of files that are to have none are taken away. Leaves that have one are not written again. With `dry_run` nothing is done, and the answer says what it takes: calls, tokens and price. Otherwise the work begins, and `contexts` of each file says how far it is; files are searched meanwhile."""
        answer: t.ContextsPlan = self.call(
            "POST",
            "/library/files:contexts",
            body=body,
            headers=headers,
        )
        return answer

    def get_library_file_markdown(
        self,
        name: str,
        *,
        version: int | None = None,
        headers: Headers | None = None,
    ) -> str:
        """Read it as Markdown (library).

        In the library that all projects of the workspace share. What the document became: the text that sections, leaves and citations have their character ranges in. `version` reads an earlier one."""
        response = self.send(
            "GET",
            "/library/files/{name}/markdown",
            path={"name": name},
            query={"version": version},
            headers=headers,
        )
        return response.text

    def get_library_file_fidelity(
        self,
        name: str,
        *,
        version: int | None = None,
        headers: Headers | None = None,
    ) -> t.FidelityReport:
        """Read the fidelity report (library).

        In the library that all projects of the workspace share. What the conversion of the newest version that was converted kept and lost, also where the file failed as `low_fidelity`; `version` reads an earlier one."""
        answer: t.FidelityReport = self.call(
            "GET",
            "/library/files/{name}/fidelity",
            path={"name": name},
            query={"version": version},
            headers=headers,
        )
        return answer

    def list_library_leaves(
        self,
        name: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.Leaf, None, None]:
        """List the leaves (library).

        In the library that all projects of the workspace share. What is embedded and searched, in document order, each with its exact range in the Markdown."""
        return self.iterate(
            "/library/files/{name}/leaves",
            path={"name": name},
            query={"limit": limit, "after": after, "order": order},
            headers=headers,
        )

    def get_library_outline(
        self,
        name: str,
        *,
        levels: int | None = None,
        include_blurbs: bool | None = None,
        max_nodes: int | None = None,
        max_tokens: int | None = None,
        headers: Headers | None = None,
    ) -> t.Outline:
        """Read the outline (library).

        In the library that all projects of the workspace share. The headings of a Markdown or Word document, the keys of YAML and JSON, the rows of a CSV file by hundreds, the paragraphs of a text, the pages of a PDF: each with its range, its size and a pointer that reads it. Whatever is wrong with the document is a `state`, not an error."""
        answer: t.Outline = self.call(
            "GET",
            "/library/files/{name}/outline",
            path={"name": name},
            query={"levels": levels, "include_blurbs": include_blurbs, "max_nodes": max_nodes, "max_tokens": max_tokens},
            headers=headers,
        )
        return answer

    def find_library_sections(
        self,
        name: str,
        body: t.FindLibrarySectionsBody,
        *,
        headers: Headers | None = None,
    ) -> t.Sections:
        """Find sections of a file (library).

        In the library that all projects of the workspace share. Which sections of one document to read for a question: pointers with a confidence, a preview and their size, not the text. Sections under `min_confidence` are left out."""
        answer: t.Sections = self.call(
            "POST",
            "/library/files/{name}/sections",
            path={"name": name},
            body=body,
            headers=headers,
        )
        return answer

    def read_library_pointer(
        self,
        pointer_id: str,
        *,
        max_tokens: int | None = None,
        continuation: str | None = None,
        headers: Headers | None = None,
    ) -> t.Pointer:
        """Read what a pointer names (library).

        In the library that all projects of the workspace share. The text of a section or a chunk, at most `max_tokens` of it; `continuation` reads on. A pointer stays valid in later versions while its section (its heading, and its text down to the next heading) is unchanged; after that it is `gone`, with the nearest heading that is left."""
        answer: t.Pointer = self.call(
            "GET",
            "/library/pointers/{pointer_id}",
            path={"pointer_id": pointer_id},
            query={"max_tokens": max_tokens, "continuation": continuation},
            headers=headers,
        )
        return answer

    def list_library_events(
        self,
        *,
        after: Literal["now"] | int | None = None,
        limit: int | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.ProjectEvent, None, None]:
        """List or follow what changes (library).

        In the library that all projects of the workspace share. Everything that changes, in the order in which it was committed, with names, numbers and addresses, nothing of any content. As JSON: the events after a number, oldest first; go on with `last_id`. With `Accept: text/event-stream`: those there are, then those that come, without an end until the project is deleted; a client that reconnects sends `Last-Event-ID` and misses nothing. Events are kept for `RETENTION_FEED_DAYS`: whoever asks for some that are gone is told so, by `is_trimmed` or by a first event `feed.trimmed`."""
        return self.iterate(
            "/library/events",
            query={"after": after, "limit": limit},
            headers=headers,
        )

    def search(
        self,
        project_id: str,
        body: t.SearchBody,
        *,
        headers: Headers | None = None,
    ) -> t.SearchAnswer:
        """Search documents and turns.

        The retrieval that turns use: meaning and words, fused. Leaves are searched, whole sections come back, each with the leaves that matched. What does not bear on the query is left out: `below_floor` says how much, and `min_score` moves the floor. With `explain`, each hit tells its place in each ranking."""
        answer: t.SearchAnswer = self.call(
            "POST",
            "/projects/{project_id}/search",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    def search_library(
        self,
        body: t.SearchLibraryBody,
        *,
        headers: Headers | None = None,
    ) -> t.SearchAnswer:
        """Search the library.

        The documents that all projects of the workspace share, searched as those of a project are. Call it for what is known beyond one project; to have both in one ranking, search a project with `sources`. An empty library says so in `detail`."""
        answer: t.SearchAnswer = self.call(
            "POST",
            "/library/search",
            body=body,
            headers=headers,
        )
        return answer

    def start_research(
        self,
        project_id: str,
        body: t.StartResearchBody,
        *,
        headers: Headers | None = None,
    ) -> t.ResearchRun:
        """Ask a question that takes several steps.

        An agent lists, searches, walks and summarises documents with read-only tools until it can answer, in a few steps at most. It reads only what the question calls for. Where the question can mean several files (`my brief`), it ends as `needs_clarification` with the candidates before anything is read: ask again with `files`. The run is recorded before any model is called and goes on when the caller leaves; several may run at a time. The answer comes when it has ended or, with `Accept: text/event-stream`, as events: thoughts, actions, the answer. For a question within the conversation, a turn is the better place."""
        answer: t.ResearchRun = self.call(
            "POST",
            "/projects/{project_id}/research",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    def list_research(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.ResearchRun, None, None]:
        """List the research runs.

        In the order in which they were asked for, page by page."""
        return self.iterate(
            "/projects/{project_id}/research",
            path={"project_id": project_id},
            query={"limit": limit, "after": after, "order": order},
            headers=headers,
        )

    def get_research(
        self,
        project_id: str,
        run_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ResearchRun:
        """Get a research run.

        Question, answer, every step with what the tool gave, citations, usage. Poll it while it is in progress."""
        answer: t.ResearchRun = self.call(
            "GET",
            "/projects/{project_id}/research/{run_id}",
            path={"project_id": project_id, "run_id": run_id},
            headers=headers,
        )
        return answer

    def cancel_research(
        self,
        project_id: str,
        run_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ResearchRun:
        """Cancel a research run.

        Stops it, at once here and within half a second where another instance works on it; its steps and what it had said are kept. A run that has ended stays as it is."""
        answer: t.ResearchRun = self.call(
            "POST",
            "/projects/{project_id}/research/{run_id}/cancel",
            path={"project_id": project_id, "run_id": run_id},
            headers=headers,
        )
        return answer

    def retry_research(
        self,
        project_id: str,
        run_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ResearchRun:
        """Retry a failed research run.

        Takes a run that failed or expired up again: the same question under the same id. The numbers of its events go on above those of the attempt before, whose events are gone."""
        answer: t.ResearchRun = self.call(
            "POST",
            "/projects/{project_id}/research/{run_id}/retry",
            path={"project_id": project_id, "run_id": run_id},
            headers=headers,
        )
        return answer

    def list_tools(
        self,
        *,
        headers: Headers | None = None,
    ) -> t.ListToolsAnswer:
        """List the tools.

        The read-only tools over documents, as a model is told of them: when to call each and when not, and the JSON Schema of its input."""
        answer: t.ListToolsAnswer = self.call(
            "GET",
            "/tools",
            headers=headers,
        )
        return answer

    def call_tool(
        self,
        project_id: str,
        name: str,
        body: dict[str, Any],
        *,
        headers: Headers | None = None,
    ) -> t.ToolResult:
        """Call a tool by hand.

        Calls one tool as the research agent would, and shows what a model is given: for finding out why an answer is as it is. The body is the input. What the tool cannot do, such as to read a file that is not there, is a result with `is_error`. When the month is spent, those that call no model are served on."""
        answer: t.ToolResult = self.call(
            "POST",
            "/projects/{project_id}/tools/{name}",
            path={"project_id": project_id, "name": name},
            body=body,
            headers=headers,
        )
        return answer

    def create_turn(
        self,
        project_id: str,
        body: t.CreateTurnBody,
        *,
        headers: Headers | None = None,
    ) -> t.TurnDryRun | t.Turn:
        """Say something.

        One user message and its reply. The turn is recorded before any model is called, and goes on when the caller leaves; one runs at a time. The answer comes when it has ended, or, with `Accept: text/event-stream`, as events while it happens. With an `Idempotency-Key` a message is taken on once: the same request again attaches to the running turn, is answered with the one that has ended, or tries a failed one again under its number."""
        answer: t.TurnDryRun | t.Turn = self.call(
            "POST",
            "/projects/{project_id}/turns",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    def list_turns(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        headers: Headers | None = None,
    ) -> Generator[t.Turn, None, None]:
        """List the turns.

        In their order, page by page."""
        return self.iterate(
            "/projects/{project_id}/turns",
            path={"project_id": project_id},
            query={"limit": limit, "after": after, "order": order},
            headers=headers,
        )

    def get_turn(
        self,
        project_id: str,
        n: int,
        *,
        headers: Headers | None = None,
    ) -> t.Turn:
        """Get a turn.

        Message, reply, routing, citations, state changes, usage. Poll it while it is in progress."""
        answer: t.Turn = self.call(
            "GET",
            "/projects/{project_id}/turns/{n}",
            path={"project_id": project_id, "n": n},
            headers=headers,
        )
        return answer

    def get_turn_context(
        self,
        project_id: str,
        n: int,
        *,
        headers: Headers | None = None,
    ) -> t.TurnContext:
        """Read the receipt of a turn.

        For ever: every section that was sent to the large model, its tokens, items and scores; what was dropped and why; usage, cost, and the time of each step."""
        answer: t.TurnContext = self.call(
            "GET",
            "/projects/{project_id}/turns/{n}/context",
            path={"project_id": project_id, "n": n},
            headers=headers,
        )
        return answer

    def cancel_turn(
        self,
        project_id: str,
        n: int,
        *,
        headers: Headers | None = None,
    ) -> t.Turn:
        """Cancel a running turn.

        Stops it, at once here and within half a second where another instance runs it, and keeps what was said so far. A turn that has ended stays as it is."""
        answer: t.Turn = self.call(
            "POST",
            "/projects/{project_id}/turns/{n}/cancel",
            path={"project_id": project_id, "n": n},
            headers=headers,
        )
        return answer

    def retry_turn(
        self,
        project_id: str,
        n: int,
        *,
        headers: Headers | None = None,
    ) -> t.Turn:
        """Retry a failed turn.

        Runs a turn that failed or expired again: the same message, the same number. With `Accept: text/event-stream` its events come as they happen; their numbers go on above those of the attempt before, whose events are gone."""
        answer: t.Turn = self.call(
            "POST",
            "/projects/{project_id}/turns/{n}/retry",
            path={"project_id": project_id, "n": n},
            headers=headers,
        )
        return answer

    def import_turns(
        self,
        project_id: str,
        content: Content,
        *,
        headers: Headers | None = None,
    ) -> t.TurnsImport:
        """Import a conversation.

        Messages as JSON Lines, in their order: `{"role":"user","content":"…","created_at":"…"}`, each followed by its reply with the role `assistant`; a reply may come first where the project has no turns. Each pair becomes a completed turn behind those that there are, without routing or receipt, and is summarised and found like any other. All of it is taken or nothing: what is wrong is named by its line. Up to 10,000 messages in 16 MB."""
        answer: t.TurnsImport = self.call(
            "POST",
            "/projects/{project_id}/turns:import",
            path={"project_id": project_id},
            content=content,
            media_type="application/jsonl",
            headers=headers,
        )
        return answer

    def export_project(
        self,
        project_id: str,
        *,
        vectors: bool | None = None,
        headers: Headers | None = None,
    ) -> bytes:
        """Export a project.

        The project as one ZIP archive, of the moment of the request: originals of all versions, their Markdown, state, turns with receipts, events and summaries, usage, and vectors unless `vectors=false`. `docs/archive.md` describes it. It is sent as fast as it is read. Where a file or a turn is deleted or tried again before it was read, the answer breaks off: what has arrived then is no archive, and the next request makes one."""
        response = self.send(
            "GET",
            "/projects/{project_id}/export",
            path={"project_id": project_id},
            query={"vectors": vectors},
            headers=headers,
        )
        return response.content

    def import_project(
        self,
        content: Content,
        *,
        id: str | None = None,
        name: str | None = None,
        on_conflict: Literal["error", "rename"] | None = None,
        vectors: bool | None = None,
        headers: Headers | None = None,
    ) -> t.ProjectImport:
        """Import a project.

        Makes a project of an archive that `exportProject` gave, of this service or another one, on whichever database. All of it is compared with its manifest first, and a broken archive leaves nothing. Turns keep their numbers, receipts and citations, and the state is what it was. Files are ingested again from their originals, and searchable as soon as their status says so; where the archive has vectors of this embedding model, none is paid for again. The body is the archive, or a form with it as `file`; the parameters may also stand in the form before it. Waits up to 20 s for the files (201), else answers 202; `Prefer` changes that."""
        answer: t.ProjectImport = self.call(
            "POST",
            "/projects:import",
            query={"id": id, "name": name, "on_conflict": on_conflict, "vectors": vectors},
            content=content,
            media_type="application/zip",
            headers=headers,
        )
        return answer

    def create_backup(
        self,
        *,
        cache: bool | None = None,
        headers: Headers | None = None,
    ) -> bytes:
        """Back up the database.

        All workspaces as they are at the moment of the request, as a ZIP archive for `forge restore`, which puts it into an empty database of either kind. The service goes on meanwhile; an embedded database stands still while its folder is copied. It is sent as fast as it is read, and breaks off where it is not read for a minute: what has arrived then is no backup. Originals that are encrypted at rest stay so in it, everything else is readable, and API keys are digests."""
        response = self.send(
            "POST",
            "/backup",
            query={"cache": cache},
            headers=headers,
        )
        return response.content


class AsyncOperations(AsyncCalls):
    """The operations of the contract, by their names."""

    async def get_health(
        self,
        *,
        headers: Headers | None = None,
    ) -> t.Health:
        """Is the process alive?

        For liveness probes: answers as long as the process does, whatever else is broken."""
        answer: t.Health = await self.call(
            "GET",
            "/healthz",
            headers=headers,
        )
        return answer

    async def get_readiness(
        self,
        *,
        headers: Headers | None = None,
    ) -> t.Readiness:
        """Can it do its work?

        For readiness probes and for people: 200 when the database answers, 503 when not, and which database, embedding model and language models are in use. `degraded` is 200 too: something of a provider fails, the reasons say what and what to do, and it is over with its next call that comes through."""
        answer: t.Readiness = await self.call(
            "GET",
            "/readyz",
            expects=503,
            headers=headers,
        )
        return answer

    async def get_metrics(
        self,
        *,
        headers: Headers | None = None,
    ) -> str:
        """Numbers for Prometheus.

        Of this process since its start, in the text format of Prometheus: requests, turns, jobs, the queue, providers, tokens and their cost, the database, child processes, memory. Numbers only, nothing of any document."""
        response = await self.send(
            "GET",
            "/metrics",
            headers=headers,
        )
        return response.text

    async def get_version(
        self,
        *,
        headers: Headers | None = None,
    ) -> t.Version:
        """Which version is running?

        The version of the service and of Node.js, and which models it works with."""
        answer: t.Version = await self.call(
            "GET",
            "/version",
            headers=headers,
        )
        return answer

    async def get_problem_type(
        self,
        code: str,
        *,
        headers: Headers | None = None,
    ) -> t.ProblemType:
        """What does a problem mean?

        The address that the `type` of a problem document names."""
        answer: t.ProblemType = await self.call(
            "GET",
            "/problems/{code}",
            path={"code": code},
            headers=headers,
        )
        return answer

    async def create_key(
        self,
        body: t.CreateKeyBody,
        *,
        headers: Headers | None = None,
    ) -> t.NewApiKey:
        """Make an API key.

        The answer has the key, this once: only a digest of it is kept. It can have no scope that yours lacks. From the first key on, every operation but health and the contract asks for one; so the first has to have the scope `service` and no expiry. Takes no `Idempotency-Key`, since the answer is not kept."""
        answer: t.NewApiKey = await self.call(
            "POST",
            "/keys",
            body=body,
            headers=headers,
        )
        return answer

    def list_keys(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        workspace: str | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.ApiKey, None]:
        """List API keys.

        Those of the workspace, in order of creation, without the keys themselves."""
        return self.iterate(
            "/keys",
            query={"limit": limit, "after": after, "order": order, "workspace": workspace},
            headers=headers,
        )

    async def revoke_key(
        self,
        id: str,
        *,
        workspace: str | None = None,
        force: bool | None = None,
        headers: Headers | None = None,
    ) -> t.ApiKeyDeletion:
        """Revoke an API key.

        Its next request is refused: at once by the process that answers this, and within a second by others on the same database. The last key that can make others stays, unless you say `force=true`."""
        answer: t.ApiKeyDeletion = await self.call(
            "DELETE",
            "/keys/{id}",
            path={"id": id},
            query={"workspace": workspace, "force": force},
            headers=headers,
        )
        return answer

    async def create_workspace(
        self,
        body: t.CreateWorkspaceBody,
        *,
        headers: Headers | None = None,
    ) -> t.Workspace:
        """Create a workspace.

        A tenant with projects, a library and keys of its own. Nobody is in it before `POST /keys` has made a key for it, with `workspace`."""
        answer: t.Workspace = await self.call(
            "POST",
            "/workspaces",
            body=body,
            headers=headers,
        )
        return answer

    def list_workspaces(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.Workspace, None]:
        """List workspaces.

        All of them, in order of creation."""
        return self.iterate(
            "/workspaces",
            query={"limit": limit, "after": after, "order": order},
            headers=headers,
        )

    async def get_workspace(
        self,
        workspace_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.Workspace:
        """Get a workspace.

        Its name, since when there is one, what it may hold and spend, and what it does."""
        answer: t.Workspace = await self.call(
            "GET",
            "/workspaces/{workspace_id}",
            path={"workspace_id": workspace_id},
            headers=headers,
        )
        return answer

    async def change_workspace(
        self,
        workspace_id: str,
        body: t.ChangeWorkspaceBody,
        *,
        headers: Headers | None = None,
    ) -> t.Workspace:
        """Rename a workspace, or set its quotas.

        What it may hold, and spend in a month. What it has already stays, and what is under way goes on, beyond its quotas too; what would add to it is refused with `quota_exceeded`. Other instances know of it within a second."""
        answer: t.Workspace = await self.call(
            "PATCH",
            "/workspaces/{workspace_id}",
            path={"workspace_id": workspace_id},
            body=body,
            headers=headers,
        )
        return answer

    async def delete_workspace(
        self,
        workspace_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.WorkspaceDeletion:
        """Delete a workspace.

        Removes its projects, its library, its keys and its audit log, and ends what runs of them. There is no way back."""
        answer: t.WorkspaceDeletion = await self.call(
            "DELETE",
            "/workspaces/{workspace_id}",
            path={"workspace_id": workspace_id},
            headers=headers,
        )
        return answer

    def list_audit_events(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        since: str | None = None,
        until: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.AuditEvent, None]:
        """Who did what?

        What was made, changed, deleted or exported in the workspace, by whom and with what outcome, refusals included; never what was in it. What an administrator of the service does to it from another workspace is there, too."""
        return self.iterate(
            "/audit",
            query={"limit": limit, "after": after, "order": order, "since": since, "until": until, "actor": actor, "action": action},
            headers=headers,
        )

    async def export_audit_events(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        headers: Headers | None = None,
    ) -> str:
        """Export the audit log.

        All of it, or what the filter leaves, as JSON Lines: an event a line, oldest first."""
        response = await self.send(
            "GET",
            "/audit/export",
            query={"since": since, "until": until, "actor": actor, "action": action},
            headers=headers,
        )
        return response.text

    async def create_webhook(
        self,
        body: t.CreateWebhookBody,
        *,
        headers: Headers | None = None,
    ) -> t.NewWebhook:
        """Make a webhook.

        Has events posted to an address, signed by Standard Webhooks. The answer has the secret, this once. Each message is delivered at least once: answer with 2xx within some seconds, and tell repeats apart by `webhook-id`. Takes no `Idempotency-Key`, since the answer is not kept."""
        answer: t.NewWebhook = await self.call(
            "POST",
            "/webhooks",
            body=body,
            headers=headers,
        )
        return answer

    def list_webhooks(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.Webhook, None]:
        """List webhooks.

        Those of the workspace, in order of creation, without their secrets."""
        return self.iterate(
            "/webhooks",
            query={"limit": limit, "after": after, "order": order},
            headers=headers,
        )

    async def get_webhook(
        self,
        webhook_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.Webhook:
        """Get a webhook.

        What it is sent and whether it is enabled, without its secret."""
        answer: t.Webhook = await self.call(
            "GET",
            "/webhooks/{webhook_id}",
            path={"webhook_id": webhook_id},
            headers=headers,
        )
        return answer

    async def update_webhook(
        self,
        webhook_id: str,
        body: t.UpdateWebhookBody,
        *,
        headers: Headers | None = None,
    ) -> t.Webhook:
        """Change a webhook.

        Changes what is given. One that was disabled is enabled again by `{"status":"enabled"}`: what it was not sent meanwhile is in the feeds of the projects; what was pending is sent."""
        answer: t.Webhook = await self.call(
            "PATCH",
            "/webhooks/{webhook_id}",
            path={"webhook_id": webhook_id},
            body=body,
            headers=headers,
        )
        return answer

    async def delete_webhook(
        self,
        webhook_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.WebhookDeletion:
        """Delete a webhook.

        It is sent nothing any more; the log of its deliveries goes with it."""
        answer: t.WebhookDeletion = await self.call(
            "DELETE",
            "/webhooks/{webhook_id}",
            path={"webhook_id": webhook_id},
            headers=headers,
        )
        return answer

    async def rotate_webhook_secret(
        self,
        webhook_id: str,
        *,
        overlap_hours: int | None = None,
        headers: Headers | None = None,
    ) -> t.NewWebhook:
        """Give a webhook another secret.

        The answer has the new secret, this once. For a while messages are signed with both, so that receivers can change over."""
        answer: t.NewWebhook = await self.call(
            "POST",
            "/webhooks/{webhook_id}/rotate",
            path={"webhook_id": webhook_id},
            query={"overlap_hours": overlap_hours},
            headers=headers,
        )
        return answer

    def list_webhook_deliveries(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        status: Literal["pending", "delivered", "failed"] | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.WebhookDelivery, None]:
        """List deliveries.

        The messages to a webhook with what became of each: attempts, statuses, times; kept for `RETENTION_FEED_DAYS`. Newest first with `order=desc`."""
        return self.iterate(
            "/webhooks/{webhook_id}/deliveries",
            path={"webhook_id": webhook_id},
            query={"limit": limit, "after": after, "order": order, "status": status},
            headers=headers,
        )

    async def retry_webhook_delivery(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.WebhookDelivery:
        """Send a message again.

        Whatever became of it: at once, with the same `webhook-id` and body, and with all attempts ahead of it."""
        answer: t.WebhookDelivery = await self.call(
            "POST",
            "/webhooks/{webhook_id}/deliveries/{delivery_id}/retry",
            path={"webhook_id": webhook_id, "delivery_id": delivery_id},
            headers=headers,
        )
        return answer

    async def test_webhook(
        self,
        webhook_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.WebhookDelivery:
        """Send a test.

        Sends an event of the type `webhook.test`, whatever types were chosen, like any other: signed, retried, logged."""
        answer: t.WebhookDelivery = await self.call(
            "POST",
            "/webhooks/{webhook_id}/test",
            path={"webhook_id": webhook_id},
            headers=headers,
        )
        return answer

    async def get_knowledge(
        self,
        *,
        headers: Headers | None = None,
    ) -> t.Knowledge:
        """List the knowledge.

        Core instructions, probes, patterns and risks of both modes, without the full texts of the entries."""
        answer: t.Knowledge = await self.call(
            "GET",
            "/knowledge",
            headers=headers,
        )
        return answer

    async def get_probe(
        self,
        mode: str,
        key: str,
        *,
        headers: Headers | None = None,
    ) -> t.Probe:
        """Get a probe.

        A line of questioning with its full text."""
        answer: t.Probe = await self.call(
            "GET",
            "/knowledge/{mode}/probes/{key}",
            path={"mode": mode, "key": key},
            headers=headers,
        )
        return answer

    async def get_pattern(
        self,
        mode: str,
        key: str,
        *,
        headers: Headers | None = None,
    ) -> t.Pattern:
        """Get a pattern.

        A recurring organisational problem with its full text."""
        answer: t.Pattern = await self.call(
            "GET",
            "/knowledge/{mode}/patterns/{key}",
            path={"mode": mode, "key": key},
            headers=headers,
        )
        return answer

    async def create_project(
        self,
        body: t.CreateProjectBody,
        *,
        headers: Headers | None = None,
    ) -> t.Project:
        """Create a project.

        The first call of all. Give a name; the id is made from it unless you choose one."""
        answer: t.Project = await self.call(
            "POST",
            "/projects",
            body=body,
            headers=headers,
        )
        return answer

    def list_projects(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        name: str | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.Project, None]:
        """List projects.

        In order of creation, page by page; narrow it by `name`. Cursors belong to the list that you narrowed."""
        return self.iterate(
            "/projects",
            query={"limit": limit, "after": after, "order": order, "name": name},
            headers=headers,
        )

    async def get_project(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.Project:
        """Get a project.

        Its name and where it stands; the state has an address of its own."""
        answer: t.Project = await self.call(
            "GET",
            "/projects/{project_id}",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    async def rename_project(
        self,
        project_id: str,
        body: t.RenameProjectBody,
        *,
        headers: Headers | None = None,
    ) -> t.Project:
        """Change a project.

        Changes the name for people, and whether a model writes a context for each leaf of the files that come from now on; what is left out stays, and so does the id. Files that are there get or lose their contexts by `files:contexts`, which says before what that costs."""
        answer: t.Project = await self.call(
            "PATCH",
            "/projects/{project_id}",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    async def delete_project(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ProjectDeletion:
        """Delete a project.

        Removes every row and vector that came from the project, in one transaction, and answers with a receipt. There is no way back."""
        answer: t.ProjectDeletion = await self.call(
            "DELETE",
            "/projects/{project_id}",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    async def get_state(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ProjectState:
        """Get the state.

        Organisational context, assumption register, document skeleton, routing, file summaries. The `ETag` names what you read; send it as `If-Match` when you change it, or as `If-None-Match` to be told 304 when nothing changed."""
        answer: t.ProjectState = await self.call(
            "GET",
            "/projects/{project_id}/state",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    async def change_state(
        self,
        project_id: str,
        body: t.ProjectStatePatch,
        *,
        headers: Headers | None = None,
    ) -> t.ProjectState:
        """Change the state.

        A JSON Merge Patch (RFC 7396): members replace, null removes, arrays are replaced whole. With `If-Match`, the change is made only if the state is still the one you read; a stale one gets 412. `file_summaries`, `turn_count`, `schema_version` and `routing.conversation_summary` are derived and cannot be written; the summary may be sent back as it was read. A skeleton field takes a string or `{"value": "..."}`; its history is kept."""
        answer: t.ProjectState = await self.call(
            "PATCH",
            "/projects/{project_id}/state",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    async def get_assumptions(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.AssumptionRegister:
        """Get the assumption register.

        Every assumption with its confidence, impact, status, dependencies and evidence."""
        answer: t.AssumptionRegister = await self.call(
            "GET",
            "/projects/{project_id}/state/assumptions",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    async def get_skeleton(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.DocumentSkeleton:
        """Get the document skeleton.

        The named fields that are known so far, each with the turn that set it and its history."""
        answer: t.DocumentSkeleton = await self.call(
            "GET",
            "/projects/{project_id}/state/skeleton",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    async def list_staleness(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ListStalenessAnswer:
        """List what is stale.

        Assumptions, skeleton fields and file summaries that were taken from a version of a file that is no longer the searchable one. A later turn or a change of the state that confirms them clears the mark; a file summary is made again by itself."""
        answer: t.ListStalenessAnswer = await self.call(
            "GET",
            "/projects/{project_id}/staleness",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    async def get_workspace_usage(
        self,
        *,
        headers: Headers | None = None,
    ) -> t.WorkspaceUsage:
        """What your workspace holds, has under way and has spent.

        Projects, files, bytes and keys, turns and research runs that are under way, and the tokens and US dollars of this month in UTC, each with its limit. What was deleted since counts as spent; so does a turn that failed."""
        answer: t.WorkspaceUsage = await self.call(
            "GET",
            "/usage",
            headers=headers,
        )
        return answer

    async def get_usage(
        self,
        project_id: str,
        *,
        since: str | None = None,
        headers: Headers | None = None,
    ) -> t.ProjectUsage:
        """What the project has used.

        Tokens, calls and estimated cost by model and by phase: routing, answers and summaries of turns, summaries and embeddings of files, embeddings of queries. Counted by the providers; failed and cancelled turns count too."""
        answer: t.ProjectUsage = await self.call(
            "GET",
            "/projects/{project_id}/usage",
            path={"project_id": project_id},
            query={"since": since},
            headers=headers,
        )
        return answer

    async def get_library_usage(
        self,
        *,
        since: str | None = None,
        headers: Headers | None = None,
    ) -> t.LibraryUsage:
        """What the library has used.

        Tokens, calls and estimated cost by model and by phase: summaries and embeddings of its files. A turn that uses the library counts for its project."""
        answer: t.LibraryUsage = await self.call(
            "GET",
            "/library/usage",
            query={"since": since},
            headers=headers,
        )
        return answer

    async def list_artifacts(
        self,
        project_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ListArtifactsAnswer:
        """List the artifacts.

        The documents that are rendered from the state."""
        answer: t.ListArtifactsAnswer = await self.call(
            "GET",
            "/projects/{project_id}/artifacts",
            path={"project_id": project_id},
            headers=headers,
        )
        return answer

    async def get_artifact(
        self,
        project_id: str,
        artifact: str,
        *,
        headers: Headers | None = None,
    ) -> str:
        """Read an artifact.

        Markdown, rendered from the state as it is now; the same state gives the same text."""
        response = await self.send(
            "GET",
            "/projects/{project_id}/artifacts/{artifact}",
            path={"project_id": project_id, "artifact": artifact},
            headers=headers,
        )
        return response.text

    async def verify_citations(
        self,
        project_id: str,
        body: t.VerifyCitationsBody,
        *,
        headers: Headers | None = None,
    ) -> t.VerifyCitationsAnswer:
        """Check citations.

        Looks for quotes, as turns return them in `citations`, in the files as they are now: whether the words still stand there, where they have moved, or that they are gone; and, where a citation has its `claim`, whether the section they stand in still supports it. The answers are in the order of the citations."""
        answer: t.VerifyCitationsAnswer = await self.call(
            "POST",
            "/projects/{project_id}/citations:verify",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    def list_files(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        status: Literal["queued", "in_progress", "completed", "failed"] | None = None,
        q: str | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.StoredFile, None]:
        """List the files.

        In order of their first upload, failed ones included; narrow it by `status`, and by `q` to those that speak of something. Cursors belong to the list that you narrowed."""
        return self.iterate(
            "/projects/{project_id}/files",
            path={"project_id": project_id},
            query={"limit": limit, "after": after, "order": order, "status": status, "q": q},
            headers=headers,
        )

    async def put_file_content(
        self,
        project_id: str,
        name: str,
        content: Content,
        *,
        min_fidelity: float | None = None,
        contextual: bool | None = None,
        chunking: str | None = None,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Replace the content.

        The body is the file, with any content type. Makes a new version, or the file where there is none (201); the same bytes again make no work. `If-Match` with the ETag of the content replaces only what you have read; `If-None-Match: *` only makes. Edits close after each other are read together: a rebuild begins 750 ms after the last of them, at most once in 5 s, and the version before stays readable, marked as stale, until it is done. Waits and answers like an upload."""
        answer: t.StoredFile = await self.call(
            "PUT",
            "/projects/{project_id}/files/{name}/content",
            path={"project_id": project_id, "name": name},
            query={"min_fidelity": min_fidelity, "contextual": contextual, "chunking": chunking},
            content=content,
            media_type="application/octet-stream",
            headers=headers,
        )
        return answer

    async def get_file_content(
        self,
        project_id: str,
        name: str,
        *,
        version: int | None = None,
        headers: Headers | None = None,
    ) -> bytes:
        """Download the original.

        The bytes of the newest upload exactly as they came, whether or not they could be read; `version` reads an earlier one. A single `Range` of bytes is honoured."""
        response = await self.send(
            "GET",
            "/projects/{project_id}/files/{name}/content",
            path={"project_id": project_id, "name": name},
            query={"version": version},
            headers=headers,
        )
        return response.content

    async def get_file(
        self,
        project_id: str,
        name: str,
        *,
        wait: int | None = None,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Get a file.

        Its status, progress, figures, summary, fidelity and, where it failed, why. With `wait` it answers when the file is completed or failed, or when the time is up; without, as it is now."""
        answer: t.StoredFile = await self.call(
            "GET",
            "/projects/{project_id}/files/{name}",
            path={"project_id": project_id, "name": name},
            query={"wait": wait},
            headers=headers,
        )
        return answer

    async def rename_file(
        self,
        project_id: str,
        name: str,
        body: t.RenameFileBody,
        *,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Rename a file.

        Changes the name under which the file is addressed, listed and quoted from now on, without reading it again: its versions, vectors, summary and outline stay, and what the project knows of it goes on under the new name. The ending must be one of the same format. Ids of leaves and pointers are made from the name and change with it; turns that quoted the file keep what they said. `If-Match` with the ETag of the file renames only what you have read."""
        answer: t.StoredFile = await self.call(
            "PATCH",
            "/projects/{project_id}/files/{name}",
            path={"project_id": project_id, "name": name},
            body=body,
            headers=headers,
        )
        return answer

    async def delete_file(
        self,
        project_id: str,
        name: str,
        *,
        headers: Headers | None = None,
    ) -> t.FileDeletion:
        """Delete a file.

        Removes its bytes, versions, parents, leaves, vectors and summary in one transaction; the very next search does not find it. Turns that quoted it keep their text. Answers with a receipt."""
        answer: t.FileDeletion = await self.call(
            "DELETE",
            "/projects/{project_id}/files/{name}",
            path={"project_id": project_id, "name": name},
            headers=headers,
        )
        return answer

    async def delete_files(
        self,
        project_id: str,
        body: t.DeleteFilesBody,
        *,
        headers: Headers | None = None,
    ) -> t.FilesDeletion:
        """Delete several files.

        Deletes up to 1,000 files by name in one transaction: all of them, or none where one of the names is of no file. Answers with a receipt for each."""
        answer: t.FilesDeletion = await self.call(
            "POST",
            "/projects/{project_id}/files:delete",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    async def retry_file(
        self,
        project_id: str,
        name: str,
        *,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Retry a failed file.

        Ingests the stored bytes again. Only a failed file can be retried."""
        answer: t.StoredFile = await self.call(
            "POST",
            "/projects/{project_id}/files/{name}/retry",
            path={"project_id": project_id, "name": name},
            headers=headers,
        )
        return answer

    async def retry_failed_files(
        self,
        project_id: str,
        *,
        code: str | None = None,
        retryable: bool | None = None,
        headers: Headers | None = None,
    ) -> t.FilesRetried:
        """Retry all failed files.

        Ingests the stored bytes of every failed file again, or of those that failed in one way: after an outage, say, `code=embedding_unavailable`. Answers at once with their names; an empty list when nothing had failed."""
        answer: t.FilesRetried = await self.call(
            "POST",
            "/projects/{project_id}/files:retry",
            path={"project_id": project_id},
            query={"code": code, "retryable": retryable},
            headers=headers,
        )
        return answer

    async def cancel_file(
        self,
        project_id: str,
        name: str,
        *,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Cancel an ingestion.

        Ends the ingestion of a queued file or of one in progress. The file is `failed` with the code `cancelled`; its bytes are kept, what was searchable before stays so, the words of a version whose vectors are still coming included, and it can be retried. Whatever the work under way still brings is thrown away. A version that has its vectors already is completed without its summary."""
        answer: t.StoredFile = await self.call(
            "POST",
            "/projects/{project_id}/files/{name}/cancel",
            path={"project_id": project_id, "name": name},
            headers=headers,
        )
        return answer

    async def apply_contexts(
        self,
        project_id: str,
        body: t.ApplyContextsBody,
        *,
        headers: Headers | None = None,
    ) -> t.ContextsPlan:
        """Write or remove contexts.

        Brings the contexts of files that are there in line with what is set: a model writes those that leaves lack, where the file, its project or the service wants them, and those of files that are to have none are taken away. Leaves that have one are not written again. With `dry_run` nothing is done, and the answer says what it takes: calls, tokens and price. Otherwise the work begins, and `contexts` of each file says how far it is; files are searched meanwhile."""
        answer: t.ContextsPlan = await self.call(
            "POST",
            "/projects/{project_id}/files:contexts",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    async def get_file_markdown(
        self,
        project_id: str,
        name: str,
        *,
        version: int | None = None,
        headers: Headers | None = None,
    ) -> str:
        """Read it as Markdown.

        What the document became: the text that sections, leaves and citations have their character ranges in. `version` reads an earlier one."""
        response = await self.send(
            "GET",
            "/projects/{project_id}/files/{name}/markdown",
            path={"project_id": project_id, "name": name},
            query={"version": version},
            headers=headers,
        )
        return response.text

    async def get_file_fidelity(
        self,
        project_id: str,
        name: str,
        *,
        version: int | None = None,
        headers: Headers | None = None,
    ) -> t.FidelityReport:
        """Read the fidelity report.

        What the conversion of the newest version that was converted kept and lost, also where the file failed as `low_fidelity`; `version` reads an earlier one."""
        answer: t.FidelityReport = await self.call(
            "GET",
            "/projects/{project_id}/files/{name}/fidelity",
            path={"project_id": project_id, "name": name},
            query={"version": version},
            headers=headers,
        )
        return answer

    def list_leaves(
        self,
        project_id: str,
        name: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.Leaf, None]:
        """List the leaves.

        What is embedded and searched, in document order, each with its exact range in the Markdown."""
        return self.iterate(
            "/projects/{project_id}/files/{name}/leaves",
            path={"project_id": project_id, "name": name},
            query={"limit": limit, "after": after, "order": order},
            headers=headers,
        )

    async def get_outline(
        self,
        project_id: str,
        name: str,
        *,
        levels: int | None = None,
        include_blurbs: bool | None = None,
        max_nodes: int | None = None,
        max_tokens: int | None = None,
        headers: Headers | None = None,
    ) -> t.Outline:
        """Read the outline.

        The headings of a Markdown or Word document, the keys of YAML and JSON, the rows of a CSV file by hundreds, the paragraphs of a text, the pages of a PDF: each with its range, its size and a pointer that reads it. Whatever is wrong with the document is a `state`, not an error."""
        answer: t.Outline = await self.call(
            "GET",
            "/projects/{project_id}/files/{name}/outline",
            path={"project_id": project_id, "name": name},
            query={"levels": levels, "include_blurbs": include_blurbs, "max_nodes": max_nodes, "max_tokens": max_tokens},
            headers=headers,
        )
        return answer

    async def find_sections(
        self,
        project_id: str,
        name: str,
        body: t.FindSectionsBody,
        *,
        headers: Headers | None = None,
    ) -> t.Sections:
        """Find sections of a file.

        Which sections of one document to read for a question: pointers with a confidence, a preview and their size, not the text. Sections under `min_confidence` are left out."""
        answer: t.Sections = await self.call(
            "POST",
            "/projects/{project_id}/files/{name}/sections",
            path={"project_id": project_id, "name": name},
            body=body,
            headers=headers,
        )
        return answer

    async def read_pointer(
        self,
        project_id: str,
        pointer_id: str,
        *,
        max_tokens: int | None = None,
        continuation: str | None = None,
        headers: Headers | None = None,
    ) -> t.Pointer:
        """Read what a pointer names.

        The text of a section or a chunk, at most `max_tokens` of it; `continuation` reads on. A pointer stays valid in later versions while its section (its heading, and its text down to the next heading) is unchanged; after that it is `gone`, with the nearest heading that is left."""
        answer: t.Pointer = await self.call(
            "GET",
            "/projects/{project_id}/pointers/{pointer_id}",
            path={"project_id": project_id, "pointer_id": pointer_id},
            query={"max_tokens": max_tokens, "continuation": continuation},
            headers=headers,
        )
        return answer

    def list_events(
        self,
        project_id: str,
        *,
        after: Literal["now"] | int | None = None,
        limit: int | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.ProjectEvent, None]:
        """List or follow what changes.

        Everything that changes, in the order in which it was committed, with names, numbers and addresses, nothing of any content. As JSON: the events after a number, oldest first; go on with `last_id`. With `Accept: text/event-stream`: those there are, then those that come, without an end until the project is deleted; a client that reconnects sends `Last-Event-ID` and misses nothing. Events are kept for `RETENTION_FEED_DAYS`: whoever asks for some that are gone is told so, by `is_trimmed` or by a first event `feed.trimmed`."""
        return self.iterate(
            "/projects/{project_id}/events",
            path={"project_id": project_id},
            query={"after": after, "limit": limit},
            headers=headers,
        )

    async def verify_library_citations(
        self,
        body: t.VerifyLibraryCitationsBody,
        *,
        headers: Headers | None = None,
    ) -> t.VerifyLibraryCitationsAnswer:
        """Check citations (library).

        In the library that all projects of the workspace share. Looks for quotes, as turns return them in `citations`, in the files as they are now: whether the words still stand there, where they have moved, or that they are gone; and, where a citation has its `claim`, whether the section they stand in still supports it. The answers are in the order of the citations."""
        answer: t.VerifyLibraryCitationsAnswer = await self.call(
            "POST",
            "/library/citations:verify",
            body=body,
            headers=headers,
        )
        return answer

    def list_library_files(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        status: Literal["queued", "in_progress", "completed", "failed"] | None = None,
        q: str | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.StoredFile, None]:
        """List the files (library).

        In the library that all projects of the workspace share. In order of their first upload, failed ones included; narrow it by `status`, and by `q` to those that speak of something. Cursors belong to the list that you narrowed."""
        return self.iterate(
            "/library/files",
            query={"limit": limit, "after": after, "order": order, "status": status, "q": q},
            headers=headers,
        )

    async def put_library_file_content(
        self,
        name: str,
        content: Content,
        *,
        min_fidelity: float | None = None,
        contextual: bool | None = None,
        chunking: str | None = None,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Replace the content (library).

        In the library that all projects of the workspace share. The body is the file, with any content type. Makes a new version, or the file where there is none (201); the same bytes again make no work. `If-Match` with the ETag of the content replaces only what you have read; `If-None-Match: *` only makes. Edits close after each other are read together: a rebuild begins 750 ms after the last of them, at most once in 5 s, and the version before stays readable, marked as stale, until it is done. Waits and answers like an upload."""
        answer: t.StoredFile = await self.call(
            "PUT",
            "/library/files/{name}/content",
            path={"name": name},
            query={"min_fidelity": min_fidelity, "contextual": contextual, "chunking": chunking},
            content=content,
            media_type="application/octet-stream",
            headers=headers,
        )
        return answer

    async def get_library_file_content(
        self,
        name: str,
        *,
        version: int | None = None,
        headers: Headers | None = None,
    ) -> bytes:
        """Download the original (library).

        In the library that all projects of the workspace share. The bytes of the newest upload exactly as they came, whether or not they could be read; `version` reads an earlier one. A single `Range` of bytes is honoured."""
        response = await self.send(
            "GET",
            "/library/files/{name}/content",
            path={"name": name},
            query={"version": version},
            headers=headers,
        )
        return response.content

    async def get_library_file(
        self,
        name: str,
        *,
        wait: int | None = None,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Get a file (library).

        In the library that all projects of the workspace share. Its status, progress, figures, summary, fidelity and, where it failed, why. With `wait` it answers when the file is completed or failed, or when the time is up; without, as it is now."""
        answer: t.StoredFile = await self.call(
            "GET",
            "/library/files/{name}",
            path={"name": name},
            query={"wait": wait},
            headers=headers,
        )
        return answer

    async def rename_library_file(
        self,
        name: str,
        body: t.RenameLibraryFileBody,
        *,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Rename a file (library).

        In the library that all projects of the workspace share. Changes the name under which the file is addressed, listed and quoted from now on, without reading it again: its versions, vectors, summary and outline stay, and what the project knows of it goes on under the new name. The ending must be one of the same format. Ids of leaves and pointers are made from the name and change with it; turns that quoted the file keep what they said. `If-Match` with the ETag of the file renames only what you have read."""
        answer: t.StoredFile = await self.call(
            "PATCH",
            "/library/files/{name}",
            path={"name": name},
            body=body,
            headers=headers,
        )
        return answer

    async def delete_library_file(
        self,
        name: str,
        *,
        headers: Headers | None = None,
    ) -> t.FileDeletion:
        """Delete a file (library).

        In the library that all projects of the workspace share. Removes its bytes, versions, parents, leaves, vectors and summary in one transaction; the very next search does not find it. Turns that quoted it keep their text. Answers with a receipt."""
        answer: t.FileDeletion = await self.call(
            "DELETE",
            "/library/files/{name}",
            path={"name": name},
            headers=headers,
        )
        return answer

    async def delete_library_files(
        self,
        body: t.DeleteLibraryFilesBody,
        *,
        headers: Headers | None = None,
    ) -> t.FilesDeletion:
        """Delete several files (library).

        In the library that all projects of the workspace share. Deletes up to 1,000 files by name in one transaction: all of them, or none where one of the names is of no file. Answers with a receipt for each."""
        answer: t.FilesDeletion = await self.call(
            "POST",
            "/library/files:delete",
            body=body,
            headers=headers,
        )
        return answer

    async def retry_library_file(
        self,
        name: str,
        *,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Retry a failed file (library).

        In the library that all projects of the workspace share. Ingests the stored bytes again. Only a failed file can be retried."""
        answer: t.StoredFile = await self.call(
            "POST",
            "/library/files/{name}/retry",
            path={"name": name},
            headers=headers,
        )
        return answer

    async def retry_library_failed_files(
        self,
        *,
        code: str | None = None,
        retryable: bool | None = None,
        headers: Headers | None = None,
    ) -> t.FilesRetried:
        """Retry all failed files (library).

        In the library that all projects of the workspace share. Ingests the stored bytes of every failed file again, or of those that failed in one way: after an outage, say, `code=embedding_unavailable`. Answers at once with their names; an empty list when nothing had failed."""
        answer: t.FilesRetried = await self.call(
            "POST",
            "/library/files:retry",
            query={"code": code, "retryable": retryable},
            headers=headers,
        )
        return answer

    async def cancel_library_file(
        self,
        name: str,
        *,
        headers: Headers | None = None,
    ) -> t.StoredFile:
        """Cancel an ingestion (library).

        In the library that all projects of the workspace share. Ends the ingestion of a queued file or of one in progress. The file is `failed` with the code `cancelled`; its bytes are kept, what was searchable before stays so, the words of a version whose vectors are still coming included, and it can be retried. Whatever the work under way still brings is thrown away. A version that has its vectors already is completed without its summary."""
        answer: t.StoredFile = await self.call(
            "POST",
            "/library/files/{name}/cancel",
            path={"name": name},
            headers=headers,
        )
        return answer

    async def apply_library_contexts(
        self,
        body: t.ApplyLibraryContextsBody,
        *,
        headers: Headers | None = None,
    ) -> t.ContextsPlan:
        """Write or remove contexts (library).

        In the library that all projects of the workspace share. Brings the contexts of files that are there in line with what is set: a model writes those that leaves lack, where the file, its project or the service wants them, and those of files that are to have none are taken away. Leaves that have one are not written again. With `dry_run` nothing is done, and the answer says what it takes: calls, tokens and price. Otherwise the work begins, and `contexts` of each file says how far it is; files are searched meanwhile."""
        answer: t.ContextsPlan = await self.call(
            "POST",
            "/library/files:contexts",
            body=body,
            headers=headers,
        )
        return answer

    async def get_library_file_markdown(
        self,
        name: str,
        *,
        version: int | None = None,
        headers: Headers | None = None,
    ) -> str:
        """Read it as Markdown (library).

        In the library that all projects of the workspace share. What the document became: the text that sections, leaves and citations have their character ranges in. `version` reads an earlier one."""
        response = await self.send(
            "GET",
            "/library/files/{name}/markdown",
            path={"name": name},
            query={"version": version},
            headers=headers,
        )
        return response.text

    async def get_library_file_fidelity(
        self,
        name: str,
        *,
        version: int | None = None,
        headers: Headers | None = None,
    ) -> t.FidelityReport:
        """Read the fidelity report (library).

        In the library that all projects of the workspace share. What the conversion of the newest version that was converted kept and lost, also where the file failed as `low_fidelity`; `version` reads an earlier one."""
        answer: t.FidelityReport = await self.call(
            "GET",
            "/library/files/{name}/fidelity",
            path={"name": name},
            query={"version": version},
            headers=headers,
        )
        return answer

    def list_library_leaves(
        self,
        name: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.Leaf, None]:
        """List the leaves (library).

        In the library that all projects of the workspace share. What is embedded and searched, in document order, each with its exact range in the Markdown."""
        return self.iterate(
            "/library/files/{name}/leaves",
            path={"name": name},
            query={"limit": limit, "after": after, "order": order},
            headers=headers,
        )

    async def get_library_outline(
        self,
        name: str,
        *,
        levels: int | None = None,
        include_blurbs: bool | None = None,
        max_nodes: int | None = None,
        max_tokens: int | None = None,
        headers: Headers | None = None,
    ) -> t.Outline:
        """Read the outline (library).

        In the library that all projects of the workspace share. The headings of a Markdown or Word document, the keys of YAML and JSON, the rows of a CSV file by hundreds, the paragraphs of a text, the pages of a PDF: each with its range, its size and a pointer that reads it. Whatever is wrong with the document is a `state`, not an error."""
        answer: t.Outline = await self.call(
            "GET",
            "/library/files/{name}/outline",
            path={"name": name},
            query={"levels": levels, "include_blurbs": include_blurbs, "max_nodes": max_nodes, "max_tokens": max_tokens},
            headers=headers,
        )
        return answer

    async def find_library_sections(
        self,
        name: str,
        body: t.FindLibrarySectionsBody,
        *,
        headers: Headers | None = None,
    ) -> t.Sections:
        """Find sections of a file (library).

        In the library that all projects of the workspace share. Which sections of one document to read for a question: pointers with a confidence, a preview and their size, not the text. Sections under `min_confidence` are left out."""
        answer: t.Sections = await self.call(
            "POST",
            "/library/files/{name}/sections",
            path={"name": name},
            body=body,
            headers=headers,
        )
        return answer

    async def read_library_pointer(
        self,
        pointer_id: str,
        *,
        max_tokens: int | None = None,
        continuation: str | None = None,
        headers: Headers | None = None,
    ) -> t.Pointer:
        """Read what a pointer names (library).

        In the library that all projects of the workspace share. The text of a section or a chunk, at most `max_tokens` of it; `continuation` reads on. A pointer stays valid in later versions while its section (its heading, and its text down to the next heading) is unchanged; after that it is `gone`, with the nearest heading that is left."""
        answer: t.Pointer = await self.call(
            "GET",
            "/library/pointers/{pointer_id}",
            path={"pointer_id": pointer_id},
            query={"max_tokens": max_tokens, "continuation": continuation},
            headers=headers,
        )
        return answer

    def list_library_events(
        self,
        *,
        after: Literal["now"] | int | None = None,
        limit: int | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.ProjectEvent, None]:
        """List or follow what changes (library).

        In the library that all projects of the workspace share. Everything that changes, in the order in which it was committed, with names, numbers and addresses, nothing of any content. As JSON: the events after a number, oldest first; go on with `last_id`. With `Accept: text/event-stream`: those there are, then those that come, without an end until the project is deleted; a client that reconnects sends `Last-Event-ID` and misses nothing. Events are kept for `RETENTION_FEED_DAYS`: whoever asks for some that are gone is told so, by `is_trimmed` or by a first event `feed.trimmed`."""
        return self.iterate(
            "/library/events",
            query={"after": after, "limit": limit},
            headers=headers,
        )

    async def search(
        self,
        project_id: str,
        body: t.SearchBody,
        *,
        headers: Headers | None = None,
    ) -> t.SearchAnswer:
        """Search documents and turns.

        The retrieval that turns use: meaning and words, fused. Leaves are searched, whole sections come back, each with the leaves that matched. What does not bear on the query is left out: `below_floor` says how much, and `min_score` moves the floor. With `explain`, each hit tells its place in each ranking."""
        answer: t.SearchAnswer = await self.call(
            "POST",
            "/projects/{project_id}/search",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    async def search_library(
        self,
        body: t.SearchLibraryBody,
        *,
        headers: Headers | None = None,
    ) -> t.SearchAnswer:
        """Search the library.

        The documents that all projects of the workspace share, searched as those of a project are. Call it for what is known beyond one project; to have both in one ranking, search a project with `sources`. An empty library says so in `detail`."""
        answer: t.SearchAnswer = await self.call(
            "POST",
            "/library/search",
            body=body,
            headers=headers,
        )
        return answer

    async def start_research(
        self,
        project_id: str,
        body: t.StartResearchBody,
        *,
        headers: Headers | None = None,
    ) -> t.ResearchRun:
        """Ask a question that takes several steps.

        An agent lists, searches, walks and summarises documents with read-only tools until it can answer, in a few steps at most. It reads only what the question calls for. Where the question can mean several files (`my brief`), it ends as `needs_clarification` with the candidates before anything is read: ask again with `files`. The run is recorded before any model is called and goes on when the caller leaves; several may run at a time. The answer comes when it has ended or, with `Accept: text/event-stream`, as events: thoughts, actions, the answer. For a question within the conversation, a turn is the better place."""
        answer: t.ResearchRun = await self.call(
            "POST",
            "/projects/{project_id}/research",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    def list_research(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.ResearchRun, None]:
        """List the research runs.

        In the order in which they were asked for, page by page."""
        return self.iterate(
            "/projects/{project_id}/research",
            path={"project_id": project_id},
            query={"limit": limit, "after": after, "order": order},
            headers=headers,
        )

    async def get_research(
        self,
        project_id: str,
        run_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ResearchRun:
        """Get a research run.

        Question, answer, every step with what the tool gave, citations, usage. Poll it while it is in progress."""
        answer: t.ResearchRun = await self.call(
            "GET",
            "/projects/{project_id}/research/{run_id}",
            path={"project_id": project_id, "run_id": run_id},
            headers=headers,
        )
        return answer

    async def cancel_research(
        self,
        project_id: str,
        run_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ResearchRun:
        """Cancel a research run.

        Stops it, at once here and within half a second where another instance works on it; its steps and what it had said are kept. A run that has ended stays as it is."""
        answer: t.ResearchRun = await self.call(
            "POST",
            "/projects/{project_id}/research/{run_id}/cancel",
            path={"project_id": project_id, "run_id": run_id},
            headers=headers,
        )
        return answer

    async def retry_research(
        self,
        project_id: str,
        run_id: str,
        *,
        headers: Headers | None = None,
    ) -> t.ResearchRun:
        """Retry a failed research run.

        Takes a run that failed or expired up again: the same question under the same id. The numbers of its events go on above those of the attempt before, whose events are gone."""
        answer: t.ResearchRun = await self.call(
            "POST",
            "/projects/{project_id}/research/{run_id}/retry",
            path={"project_id": project_id, "run_id": run_id},
            headers=headers,
        )
        return answer

    async def list_tools(
        self,
        *,
        headers: Headers | None = None,
    ) -> t.ListToolsAnswer:
        """List the tools.

        The read-only tools over documents, as a model is told of them: when to call each and when not, and the JSON Schema of its input."""
        answer: t.ListToolsAnswer = await self.call(
            "GET",
            "/tools",
            headers=headers,
        )
        return answer

    async def call_tool(
        self,
        project_id: str,
        name: str,
        body: dict[str, Any],
        *,
        headers: Headers | None = None,
    ) -> t.ToolResult:
        """Call a tool by hand.

        Calls one tool as the research agent would, and shows what a model is given: for finding out why an answer is as it is. The body is the input. What the tool cannot do, such as to read a file that is not there, is a result with `is_error`. When the month is spent, those that call no model are served on."""
        answer: t.ToolResult = await self.call(
            "POST",
            "/projects/{project_id}/tools/{name}",
            path={"project_id": project_id, "name": name},
            body=body,
            headers=headers,
        )
        return answer

    async def create_turn(
        self,
        project_id: str,
        body: t.CreateTurnBody,
        *,
        headers: Headers | None = None,
    ) -> t.TurnDryRun | t.Turn:
        """Say something.

        One user message and its reply. The turn is recorded before any model is called, and goes on when the caller leaves; one runs at a time. The answer comes when it has ended, or, with `Accept: text/event-stream`, as events while it happens. With an `Idempotency-Key` a message is taken on once: the same request again attaches to the running turn, is answered with the one that has ended, or tries a failed one again under its number."""
        answer: t.TurnDryRun | t.Turn = await self.call(
            "POST",
            "/projects/{project_id}/turns",
            path={"project_id": project_id},
            body=body,
            headers=headers,
        )
        return answer

    def list_turns(
        self,
        project_id: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        headers: Headers | None = None,
    ) -> AsyncGenerator[t.Turn, None]:
        """List the turns.

        In their order, page by page."""
        return self.iterate(
            "/projects/{project_id}/turns",
            path={"project_id": project_id},
            query={"limit": limit, "after": after, "order": order},
            headers=headers,
        )

    async def get_turn(
        self,
        project_id: str,
        n: int,
        *,
        headers: Headers | None = None,
    ) -> t.Turn:
        """Get a turn.

        Message, reply, routing, citations, state changes, usage. Poll it while it is in progress."""
        answer: t.Turn = await self.call(
            "GET",
            "/projects/{project_id}/turns/{n}",
            path={"project_id": project_id, "n": n},
            headers=headers,
        )
        return answer

    async def get_turn_context(
        self,
        project_id: str,
        n: int,
        *,
        headers: Headers | None = None,
    ) -> t.TurnContext:
        """Read the receipt of a turn.

        For ever: every section that was sent to the large model, its tokens, items and scores; what was dropped and why; usage, cost, and the time of each step."""
        answer: t.TurnContext = await self.call(
            "GET",
            "/projects/{project_id}/turns/{n}/context",
            path={"project_id": project_id, "n": n},
            headers=headers,
        )
        return answer

    async def cancel_turn(
        self,
        project_id: str,
        n: int,
        *,
        headers: Headers | None = None,
    ) -> t.Turn:
        """Cancel a running turn.

        Stops it, at once here and within half a second where another instance runs it, and keeps what was said so far. A turn that has ended stays as it is."""
        answer: t.Turn = await self.call(
            "POST",
            "/projects/{project_id}/turns/{n}/cancel",
            path={"project_id": project_id, "n": n},
            headers=headers,
        )
        return answer

    async def retry_turn(
        self,
        project_id: str,
        n: int,
        *,
        headers: Headers | None = None,
    ) -> t.Turn:
        """Retry a failed turn.

        Runs a turn that failed or expired again: the same message, the same number. With `Accept: text/event-stream` its events come as they happen; their numbers go on above those of the attempt before, whose events are gone."""
        answer: t.Turn = await self.call(
            "POST",
            "/projects/{project_id}/turns/{n}/retry",
            path={"project_id": project_id, "n": n},
            headers=headers,
        )
        return answer

    async def import_turns(
        self,
        project_id: str,
        content: Content,
        *,
        headers: Headers | None = None,
    ) -> t.TurnsImport:
        """Import a conversation.

        Messages as JSON Lines, in their order: `{"role":"user","content":"…","created_at":"…"}`, each followed by its reply with the role `assistant`; a reply may come first where the project has no turns. Each pair becomes a completed turn behind those that there are, without routing or receipt, and is summarised and found like any other. All of it is taken or nothing: what is wrong is named by its line. Up to 10,000 messages in 16 MB."""
        answer: t.TurnsImport = await self.call(
            "POST",
            "/projects/{project_id}/turns:import",
            path={"project_id": project_id},
            content=content,
            media_type="application/jsonl",
            headers=headers,
        )
        return answer

    async def export_project(
        self,
        project_id: str,
        *,
        vectors: bool | None = None,
        headers: Headers | None = None,
    ) -> bytes:
        """Export a project.

        The project as one ZIP archive, of the moment of the request: originals of all versions, their Markdown, state, turns with receipts, events and summaries, usage, and vectors unless `vectors=false`. `docs/archive.md` describes it. It is sent as fast as it is read. Where a file or a turn is deleted or tried again before it was read, the answer breaks off: what has arrived then is no archive, and the next request makes one."""
        response = await self.send(
            "GET",
            "/projects/{project_id}/export",
            path={"project_id": project_id},
            query={"vectors": vectors},
            headers=headers,
        )
        return response.content

    async def import_project(
        self,
        content: Content,
        *,
        id: str | None = None,
        name: str | None = None,
        on_conflict: Literal["error", "rename"] | None = None,
        vectors: bool | None = None,
        headers: Headers | None = None,
    ) -> t.ProjectImport:
        """Import a project.

        Makes a project of an archive that `exportProject` gave, of this service or another one, on whichever database. All of it is compared with its manifest first, and a broken archive leaves nothing. Turns keep their numbers, receipts and citations, and the state is what it was. Files are ingested again from their originals, and searchable as soon as their status says so; where the archive has vectors of this embedding model, none is paid for again. The body is the archive, or a form with it as `file`; the parameters may also stand in the form before it. Waits up to 20 s for the files (201), else answers 202; `Prefer` changes that."""
        answer: t.ProjectImport = await self.call(
            "POST",
            "/projects:import",
            query={"id": id, "name": name, "on_conflict": on_conflict, "vectors": vectors},
            content=content,
            media_type="application/zip",
            headers=headers,
        )
        return answer

    async def create_backup(
        self,
        *,
        cache: bool | None = None,
        headers: Headers | None = None,
    ) -> bytes:
        """Back up the database.

        All workspaces as they are at the moment of the request, as a ZIP archive for `forge restore`, which puts it into an empty database of either kind. The service goes on meanwhile; an embedded database stands still while its folder is copied. It is sent as fast as it is read, and breaks off where it is not read for a minute: what has arrived then is no backup. Originals that are encrypted at rest stay so in it, everything else is readable, and API keys are digests."""
        response = await self.send(
            "POST",
            "/backup",
            query={"cache": cache},
            headers=headers,
        )
        return response.content
