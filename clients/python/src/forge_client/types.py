"""What the service takes and answers.

Made from openapi/openapi.json by `npm run client:types`: changes belong there.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict


class AnswerDeltaEventData(TypedDict):
    """What the event tells, as JSON."""

    text: str
    """More of the reply."""


class AnswerDeltaEvent(TypedDict):
    """More of the answer. All since the last `answer.reset`, joined, are what was written."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["answer.delta"]
    """What has happened."""
    data: AnswerDeltaEventData
    """What the event tells, as JSON."""


class AnswerResetEventData(TypedDict):
    """What the event tells, as JSON."""

    reason: Literal["superseded"]
    """Another text comes in its place."""


class AnswerResetEvent(TypedDict):
    """What was shown of the answer is to be taken back: another one comes."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["answer.reset"]
    """What has happened."""
    data: AnswerResetEventData
    """What the event tells, as JSON."""


class ApiKeyRateLimits(TypedDict):
    """0: no limit; null: as the service is set."""

    requests: int | None
    """Requests a minute, whatever they ask for."""
    expensive: int | None
    """Of them, those that call a model or convert a file: turns, research, uploads, imports, previews, searches, tools."""


class ApiKey(TypedDict):
    """An API key, without the key itself."""

    object: Literal["api_key"]
    """The kind of object."""
    id: str
    """Names the key; not secret."""
    name: str
    """For people: who or what has it."""
    workspace: str
    """The id of the workspace whose data it opens."""
    scopes: list[Literal["read", "write", "admin", "service"]]
    """Each holds those before it: `read`, `write`, `admin` (keys and the audit log of the workspace), `service` (all workspaces)."""
    created_at: str
    """When it was made; RFC 3339, UTC."""
    created_by: str | None
    """Who made it: `key:` and the id of a key, `open`, `cli`."""
    expires_at: str | None
    """From when it is not valid any more; null: never."""
    last_used_at: str | None
    """To the minute."""
    rate_limits: ApiKeyRateLimits
    """0: no limit; null: as the service is set."""


class ApiKeyDeletion(TypedDict):
    """The key that was revoked."""

    object: Literal["deletion"]
    """The kind of object."""
    id: str
    """Names the key; not secret."""
    deleted: Literal[True]
    """It is gone."""


class Artifact(TypedDict):
    """A document that is rendered from the state."""

    object: Literal["artifact"]
    """The kind of object."""
    name: Literal["problem_brief", "solution_evaluation"]
    """What it is asked for by."""
    title: str
    """Its title, for people."""
    bytes: int
    """The length of its Markdown in bytes, as it is now."""


class AssumptionRegisterDataItemSourcesItem(TypedDict):
    filename: str
    """The name of the file."""
    version: int
    """The version of the file, from 1."""


class AssumptionRegisterDataItemStaleItem(TypedDict):
    filename: str
    """The name of the file."""
    from_version: int
    """The version that it was taken from."""
    to_version: int | None
    """The version that search sees; null: the file is gone."""


class AssumptionRegisterDataItem(TypedDict):
    id: str
    """Names it: `a` and a number."""
    statement: str
    """One claim that can turn out false."""
    confidence: Literal["validated", "informed", "guessed"]
    """How well it is supported."""
    impact: Literal["high", "medium", "low"]
    """How much changes if it is false."""
    status: Literal["active", "at_risk", "invalidated"]
    """Whether it holds: `at_risk` when one that it depends on was invalidated."""
    depends_on: list[str]
    """Ids of assumptions that must hold for this one to."""
    source_turn: int | None
    """The turn that registered it; null when a client wrote it."""
    evidence: list[str]
    """What supports it."""
    sources: list[AssumptionRegisterDataItemSourcesItem]
    """The versions of files that it was taken from; empty when a user said it."""
    stale: list[AssumptionRegisterDataItemStaleItem]
    """Sources that have changed since; emptied when it is confirmed or changed."""


class AssumptionRegister(TypedDict):
    """Every assumption of a project."""

    object: Literal["assumption_register"]
    """The kind of object."""
    data: list[AssumptionRegisterDataItem]
    """The assumptions, in the order in which they were registered."""


class AuditEvent(TypedDict):
    """Something that a caller did, or was refused."""

    object: Literal["audit_event"]
    """The kind of object."""
    at: str
    """RFC 3339, UTC."""
    actor: str
    """`key:` and the id of a key; `open`: anyone, since no key was asked for; `cli`; `service`: an administrator of the service, from another workspace."""
    actor_name: str
    """What the actor was called then."""
    action: str
    """The operationId."""
    resource: str
    """The address of what was made, changed or taken out."""
    status: int
    """The HTTP status of the answer: from 400 on, it was not done."""
    request_id: str
    """The name of the request in logs."""
    address: str | None
    """Where the request came from; null of an administrator of the service."""


class _Citation(TypedDict):
    marker: int
    """The number in the reply: `[1]`."""
    source: Literal["project", "library"]
    """Where the file is: in the project, or in the library."""
    filename: str
    """The name of the file."""
    version: int
    """The version of the file, from 1."""
    header_path: list[str]
    """The headings that it stands under, outermost first."""
    page: int | None
    """The page, from 1; null where the document has none."""
    char_start: int
    """Where it begins in the file's Markdown: UTF-16 code units, from 0."""
    char_end: int
    """Where it ends, exclusive."""
    quote: str
    """The file's Markdown from `char_start` to `char_end`."""
    leaf_id: str | None
    """The leaf that holds the quote; null when it lies outside every known leaf."""
    parent_id: str
    """The id of the section that it belongs to."""


class Citation(_Citation, total=False):
    """Where a claim of a reply comes from."""

    claim: str
    """What of the reply the marker stands for."""
    support: Literal["supported", "unsupported"]
    """Whether the numbers, names and negations of the claim stand in what is cited for it. Words are compared, not meanings: a supported claim can still be wrong."""
    missing: list[str]
    """What of the claim does not stand there."""


class CitationCheckSection(TypedDict):
    header_path: list[str]
    """The headings that it stands under, outermost first."""
    leaf_id: str
    """The id of the leaf."""
    parent_id: str
    """The id of the section that it belongs to."""
    char_start: int
    """Where it begins in the file's Markdown: UTF-16 code units, from 0."""
    char_end: int
    """Where it ends, exclusive."""


class _CitationCheck(TypedDict):
    object: Literal["citation_check"]
    """The kind of object."""
    source: Literal["project", "library"]
    """Where the file is: in the project, or in the library."""
    filename: str
    """The name of the file."""
    status: Literal["valid", "moved", "changed", "gone"]
    """`valid`: the words stand where they stood. `moved`: they stand elsewhere, at the offsets given. `changed`: the file is there, the words are not; `section` is where they most likely were. `gone`: the file is not there or has no text."""
    version: int | None
    """The searchable version, which was looked at."""
    char_start: int | None
    """Where the words begin now; null where they are not found."""
    char_end: int | None
    """Where they end, exclusive."""
    matches: int
    """How often the words occur, up to 1,000; the place nearest to the old one counts."""
    section: CitationCheckSection | None
    """Where words that were changed most likely were; null for the other statuses."""


class CitationCheck(_CitationCheck, total=False):
    """What became of a citation in the searchable version of its file."""

    support: Literal["supported", "unsupported"]
    """Whether the numbers, names and negations of the claim stand in what is cited for it. Words are compared, not meanings: a supported claim can still be wrong."""
    missing: list[str]
    """What of the claim does not stand there."""


class ContextAssembledEvent(TypedDict):
    """The prompt was put together."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["context.assembled"]
    """What has happened."""
    data: ContextDigest
    """What the event tells, as JSON."""


class ContextDigestSectionsItem(TypedDict):
    name: str
    """Of the part of the prompt."""
    tokens: int
    """Its length in tokens."""


class ContextDigestDroppedItem(TypedDict):
    section: str
    """The part of the prompt that it would have been in."""
    id: str
    """What it is: a file and its section, a turn, a field of the state."""
    tokens: int
    """Tokens that it would have taken."""
    reason: str
    """Why it was left out."""


class ContextDigest(TypedDict):
    """What a turn shows of its receipt."""

    tokens: int
    """Tokens that were sent, as counted here."""
    budget: int
    """Tokens that the prompt could have."""
    sections: list[ContextDigestSectionsItem]
    """The parts of the prompt, in their order."""
    dropped: list[ContextDigestDroppedItem]
    """What did not fit, and why."""


class ContextsPlanWrittenItem(TypedDict):
    name: str
    """The name of the file."""
    leaves: int
    """Leaves that have no context yet."""
    calls: int
    """Calls that they take."""


class ContextsPlanEstimate(TypedDict):
    """What writing them takes."""

    model: str
    """The model that writes them."""
    leaves: int
    """Leaves that get one."""
    calls: int
    """Calls of the model; a reply that leaves something out takes one more."""
    input_tokens: int
    """All tokens read, cached ones included."""
    cached_tokens: int
    """Of the input, read from the provider's cache."""
    cache_write_tokens: int
    """Of the input, written to the provider's cache."""
    output_tokens: int
    """Tokens written, as a rule."""
    cost_usd: float | None
    """At list price; null where that is not known."""


class ContextsPlanEmbedding(TypedDict):
    """What embedding the leaves again takes."""

    model: str
    """The embedding model."""
    tokens: int
    """Tokens of the leaves with their contexts."""
    cost_usd: float | None
    """At list price; null where that is not known."""


class ContextsPlan(TypedDict):
    """What is done about the contexts of files, and what it takes."""

    object: Literal["contexts_plan"]
    """The kind of object."""
    dry_run: bool
    """Whether it was only asked for: then nothing is done."""
    written: list[ContextsPlanWrittenItem]
    """Files of which leaves get a context."""
    removed: list[str]
    """Files whose contexts are taken away: they are to have none."""
    estimate: ContextsPlanEstimate
    """What writing them takes."""
    embedding: ContextsPlanEmbedding
    """What embedding the leaves again takes."""


class DeletedFile(TypedDict):
    """What is left to say of a file that was deleted."""

    object: Literal["file"]
    """The kind of object."""
    name: str
    """The name, unique in its place; part of its address."""


class DocumentPassageMatchedLeavesItem(TypedDict):
    leaf_id: str
    """The id of the leaf."""
    score: float
    """How well it matched, 0 to 1."""
    char_start: int
    """Where it begins in the file's Markdown: UTF-16 code units, from 0."""
    char_end: int
    """Where it ends, exclusive."""


class DocumentPassageAlsoInItem(TypedDict):
    source: Literal["project", "library"]
    """Where the file is: in the project, or in the library."""
    filename: str
    """The name of the file."""
    version: int
    """The version of the file, from 1."""
    header_path: list[str]
    """The headings that it stands under, outermost first."""
    page: int | None
    """The page, from 1; null where the document has none."""
    parent_id: str
    """The id of the section that it belongs to."""
    char_start: int
    """Where it begins in the file's Markdown: UTF-16 code units, from 0."""
    char_end: int
    """Where it ends, exclusive."""


class DocumentPassageExplainLeavesItem(TypedDict):
    dense_rank: int | None
    """Its place by meaning."""
    dense_score: float | None
    """Cosine similarity."""
    lexical_rank: int | None
    """Its place by words."""
    lexical_score: float | None
    """BM25."""
    fused_score: float
    """What the order goes by, before a reranker has its say."""
    leaf_id: str
    """The id of the leaf."""


class DocumentPassageExplain(TypedDict):
    promoted_by: str
    """The best leaf: the one that the passage was found by."""
    leaves: list[DocumentPassageExplainLeavesItem]
    """All its leaves that were found."""
    rerank_rank: int | None
    """Its place by the reranker, from 1; null where none has ordered it."""
    for_breadth: bool
    """It has its place for its file: the question asks for more than one, and another file had more than half of the places."""
    rerank_score: float | None
    """What the reranker gave it; means something else with each model. Null where none has."""


class DocumentPassage(TypedDict):
    """A section that a query found."""

    object: Literal["passage"]
    """The kind of object."""
    kind: Literal["document"]
    """A section of a document."""
    source: Literal["project", "library"]
    """Where the file is: in the project, or in the library."""
    text: str
    """The whole section."""
    context_header: str
    """Where it stands: file and headings, in a line."""
    filename: str
    """The name of the file."""
    media_type: str
    """Its media type, as its name and its bytes say."""
    version: int
    """The version of the file, from 1."""
    header_path: list[str]
    """The headings that it stands under, outermost first."""
    page: int | None
    """The page, from 1; null where the document has none."""
    score: float
    """Confidence that it bears on the query, 0 to 1: the same number means the same in every project, mode and embedding model. Never higher than that of the passage before."""
    parent_id: str
    """The id of the section that it belongs to."""
    char_start: int
    """Where it begins in the file's Markdown: UTF-16 code units, from 0."""
    char_end: int
    """Where it ends, exclusive."""
    matched_leaves: list[DocumentPassageMatchedLeavesItem]
    """The leaves that it was found by, best first."""
    also_in: list[DocumentPassageAlsoInItem]
    """Sections of other files with nearly the same text and the same figures: they count once."""
    explain: DocumentPassageExplain | None
    """Where its leaves stood in each ranking; null unless asked for."""


class DocumentSkeletonFieldsValueHistoryItem(TypedDict):
    value: str
    """The text."""
    turn: int | None
    """The turn that set it; null when a client did."""
    at: str
    """When it was set; RFC 3339, UTC."""


class DocumentSkeletonFieldsValueSourcesItem(TypedDict):
    filename: str
    """The name of the file."""
    version: int
    """The version of the file, from 1."""


class DocumentSkeletonFieldsValueStaleItem(TypedDict):
    filename: str
    """The name of the file."""
    from_version: int
    """The version that it was taken from."""
    to_version: int | None
    """The version that search sees; null: the file is gone."""


class DocumentSkeletonFieldsValue(TypedDict):
    value: str
    """The text."""
    turn: int | None
    """The turn that set it; null when a client did."""
    updated_at: str
    """When it was set; RFC 3339, UTC."""
    history: list[DocumentSkeletonFieldsValueHistoryItem]
    """Earlier values, oldest first."""
    sources: list[DocumentSkeletonFieldsValueSourcesItem]
    """The versions of files that it was taken from; empty when a user said it."""
    stale: list[DocumentSkeletonFieldsValueStaleItem]
    """Sources that have changed since; emptied when it is confirmed or changed."""


class DocumentSkeleton(TypedDict):
    """The named fields that are known so far."""

    object: Literal["skeleton"]
    """The kind of object."""
    fields: dict[str, DocumentSkeletonFieldsValue]
    """The fields that are known so far, by name."""


class FeedTrimmedNotice(TypedDict):
    """Events that followed the number that was asked for are not kept any more (`RETENTION_FEED_DAYS`): read anew what you follow. The events that are kept come next."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """The number that the stream goes on from."""
    type: Literal["feed.trimmed"]
    """What has happened."""
    project_id: str | None
    """The project; null: the library."""
    url: str
    """The address of the project, or of the library."""


class _FidelityReportLossesItem(TypedDict):
    kind: str
    """`heading`, `table`, `image`, `comment` and the like."""
    count: int
    """How many of them."""


class FidelityReportLossesItem(_FidelityReportLossesItem, total=False):
    detail: str
    """What exactly, where that is known."""


class FidelityReportCountsValue(TypedDict):
    source: int
    """In the source."""
    result: int
    """In the Markdown."""


class FidelityReport(TypedDict):
    """What the conversion of a version of a file kept and lost."""

    score: float
    """1 when all structure arrived."""
    losses: list[FidelityReportLossesItem]
    """What did not arrive, by kind."""
    object: Literal["fidelity_report"]
    """The kind of object."""
    name: str
    """The name of the file."""
    version: int
    """The version of the file, from 1."""
    counts: dict[str, FidelityReportCountsValue]
    """What the source has of each kind, and what arrived."""


class FileCompletedEvent(TypedDict):
    """The ingestion has ended: the file is searchable."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["file.completed"]
    """What has happened."""
    data: StoredFile
    """What the event tells, as JSON."""


class FileCompletedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    name: str
    """The name of the file."""
    version: int
    """The version that it is about, from 1."""


class FileCompletedNotice(TypedDict):
    """The ingestion of a file has ended: it is searchable."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["file.completed"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: FileCompletedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class FileCreatedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    name: str
    """The name of the file."""
    version: int
    """The version that it is about, from 1."""


class FileCreatedNotice(TypedDict):
    """A file was uploaded under a name that there was not."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["file.created"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: FileCreatedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class FileDeletedEvent(TypedDict):
    """The file was deleted."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["file.deleted"]
    """What has happened."""
    data: DeletedFile
    """What the event tells, as JSON."""


class FileDeletedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    name: str
    """The name of the file."""
    version: int
    """The version that it is about, from 1."""


class FileDeletedNotice(TypedDict):
    """A file was deleted."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["file.deleted"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: FileDeletedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class FileDeletionRemoved(TypedDict):
    """What was removed with it."""

    files: int
    """Files."""
    versions: int
    """Versions of files, with their bytes."""
    parents: int
    """Sections."""
    leaves: int
    """Leaves, which are what is searched."""
    vectors: int
    """Vectors."""
    summaries: int
    """Summaries."""


class FileDeletion(TypedDict):
    """What a deletion removed, counted before it was removed."""

    object: Literal["deletion"]
    """The kind of object."""
    id: str
    """The name of the file."""
    deleted: Literal[True]
    """It is gone."""
    removed: FileDeletionRemoved
    """What was removed with it."""


class FileFailedEvent(TypedDict):
    """The ingestion has ended: the file says why."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["file.failed"]
    """What has happened."""
    data: StoredFile
    """What the event tells, as JSON."""


class FileFailedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    name: str
    """The name of the file."""
    version: int
    """The version that it is about, from 1."""


class FileFailedNotice(TypedDict):
    """The ingestion of a file has ended: the file says why."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["file.failed"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: FileFailedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class FileOutlinedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    name: str
    """The name of the file."""
    version: int
    """The version that it is about, from 1."""


class FileOutlinedNotice(TypedDict):
    """The outline of a file has changed, and with it pointers into it."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["file.outlined"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: FileOutlinedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class FilePreviewLastError(TypedDict):
    code: str
    """Stable name of the failure."""
    message: str
    """What happened, and what to do about it."""
    retryable: bool
    """Whether another attempt may succeed."""


class _FilePreviewFidelityLossesItem(TypedDict):
    kind: str
    """`heading`, `table`, `image`, `comment` and the like."""
    count: int
    """How many of them."""


class FilePreviewFidelityLossesItem(_FilePreviewFidelityLossesItem, total=False):
    detail: str
    """What exactly, where that is known."""


class FilePreviewFidelity(TypedDict):
    """What the conversion kept and lost."""

    score: float
    """1 when all structure arrived."""
    losses: list[FilePreviewFidelityLossesItem]
    """What did not arrive, by kind."""


class FilePreviewChunking(TypedDict):
    """How it would be cut."""

    strategy: str
    """`hierarchical` or `fixed`; the other members are its settings."""


class FilePreviewEmbedding(TypedDict):
    """What embedding all of it takes, twice where contexts are written; leaves that were embedded before are not embedded again."""

    model: str
    """The embedding model."""
    tokens: int
    """Tokens of all leaves together."""
    cost_usd: float | None
    """At list price; null where that is not known."""


class FilePreviewContexts(TypedDict):
    model: str
    """The model that writes them."""
    leaves: int
    """Leaves that get one."""
    calls: int
    """Calls of the model; a reply that leaves something out takes one more."""
    input_tokens: int
    """All tokens read, cached ones included."""
    cached_tokens: int
    """Of the input, read from the provider's cache."""
    cache_write_tokens: int
    """Of the input, written to the provider's cache."""
    output_tokens: int
    """Tokens written, as a rule."""
    cost_usd: float | None
    """At list price; null where that is not known."""


class FilePreview(TypedDict):
    """An upload that was tried only: nothing of it was stored."""

    object: Literal["file_preview"]
    """The kind of object."""
    name: str
    """The name of the file."""
    media_type: str
    """Its media type, as its name and its bytes say."""
    bytes: int
    """The length of the upload, in bytes."""
    sha256: str
    """sha-256 of the bytes, in hex."""
    last_error: FilePreviewLastError | None
    """Why the upload would fail."""
    fidelity: FilePreviewFidelity | None
    """What the conversion keeps and loses; null where it fails."""
    chunking: FilePreviewChunking
    """How it would be cut."""
    chunk_count: int
    """Leaves that it would have."""
    parent_count: int
    """Sections that it would have."""
    token_estimate: int
    """Tokens of the whole text."""
    embedding: FilePreviewEmbedding
    """What embedding all of it takes, twice where contexts are written; leaves that were embedded before are not embedded again."""
    contexts: FilePreviewContexts | None
    """What writing a context for each leaf takes; leaves that have one keep it. Null where none are written."""
    leaves: list[Leaf]
    """The first 20."""


class FileProgressEvent(TypedDict):
    """The file as it is at first, and whenever something has changed."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["file.progress"]
    """What has happened."""
    data: StoredFile
    """What the event tells, as JSON."""


class FileQueuedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    name: str
    """The name of the file."""
    version: int
    """The version that it is about, from 1."""


class FileQueuedNotice(TypedDict):
    """The ingestion of a file is to begin."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["file.queued"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: FileQueuedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class FileRenamedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    name: str
    """The name of the file."""
    version: int
    """The version that it is about, from 1."""
    previous_name: str
    """The name that it had."""


class FileRenamedNotice(TypedDict):
    """A file has another name."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["file.renamed"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: FileRenamedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class FileSearchableNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    name: str
    """The name of the file."""
    version: int
    """The version that it is about, from 1."""


class FileSearchableNotice(TypedDict):
    """Search finds this version of a file."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["file.searchable"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: FileSearchableNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class FileStartedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    name: str
    """The name of the file."""
    version: int
    """The version that it is about, from 1."""


class FileStartedNotice(TypedDict):
    """The ingestion of a file has begun."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["file.started"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: FileStartedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class FileSummarizedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    name: str
    """The name of the file."""
    version: int
    """The version that it is about, from 1."""


class FileSummarizedNotice(TypedDict):
    """A file has a summary of this version."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["file.summarized"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: FileSummarizedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class FileVersionCreatedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    name: str
    """The name of the file."""
    version: int
    """The version that it is about, from 1."""


class FileVersionCreatedNotice(TypedDict):
    """A file was uploaded again: it has a newer version."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["file.version_created"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: FileVersionCreatedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class FilesDeletion(TypedDict):
    """What the deletion of several files at once removed."""

    object: Literal["files_deletion"]
    """What this is."""
    deleted: Literal[True]
    """All of them are gone."""
    count: int
    """How many files were deleted."""
    data: list[FileDeletion]
    """What each of them was, in the order asked for."""


class FilesRetried(TypedDict):
    """What another attempt at all failed files took up."""

    object: Literal["files_retried"]
    """The kind of object."""
    count: int
    """How many."""
    names: list[str]
    """The files that are in the queue again."""


class Health(TypedDict):
    """The process is alive."""

    object: Literal["health"]
    """The kind of object."""
    status: Literal["ok"]
    """The process is alive."""


class KnowledgeModesItemCore(TypedDict):
    """The core instructions."""

    title: str
    """Its title, for people."""
    tokens: int
    """Tokens of its full text."""
    body: str
    """Its full text, as Markdown."""


class KnowledgeModesItemProbesItem(TypedDict):
    object: Literal["probe"]
    """The kind of object."""
    key: str
    """Names it, within its mode."""
    number: int
    """Its place in the catalogue, from 1."""
    mode: Literal["discovery", "evaluation"]
    """The mode that it belongs to."""
    title: str
    """Its title, for people."""
    fires_when: str
    """When it is to be used."""
    questions: list[str]
    """Questions that it asks."""
    tokens: int
    """Tokens of its full text."""
    fields: list[KnowledgeModesItemProbesItemFieldsItem]
    """The fields of the skeleton that it fills."""
    complete_when: list[str]
    """What has to be known for it to be done."""


class KnowledgeModesItemPatternsItem(TypedDict):
    object: Literal["pattern"]
    """The kind of object."""
    key: str
    """Names it, within its mode."""
    number: int
    """Its place in the catalogue, from 1."""
    mode: Literal["discovery", "evaluation"]
    """The mode that it belongs to."""
    title: str
    """Its title, for people."""
    fires_when: str
    """When it is to be used."""
    questions: list[str]
    """Questions that it asks."""
    tokens: int
    """Tokens of its full text."""


class KnowledgeModesItemRisks(TypedDict):
    title: str
    """Its title, for people."""
    tokens: int
    """Tokens of its full text."""
    body: str
    """Its full text, as Markdown."""


class KnowledgeModesItem(TypedDict):
    mode: Literal["discovery", "evaluation"]
    """The mode that it belongs to."""
    core: KnowledgeModesItemCore
    """The core instructions."""
    probes: list[KnowledgeModesItemProbesItem]
    """The lines of questioning."""
    patterns: list[KnowledgeModesItemPatternsItem]
    """The recurring problems that it recognises."""
    risks: KnowledgeModesItemRisks | None
    """The instructions for risks; null in a mode without them."""


class Knowledge(TypedDict):
    """Everything that the copilot knows by itself, without the texts of probes and patterns."""

    object: Literal["knowledge"]
    """The kind of object."""
    modes: list[KnowledgeModesItem]
    """What there is in each mode."""


class Leaf(TypedDict):
    """What is embedded and searched: a stretch of a file's Markdown."""

    object: Literal["leaf"]
    """The kind of object."""
    id: str
    """Names the leaf."""
    parent_id: str
    """The id of the section that it belongs to."""
    leaf_index: int
    """Its place in the file, from 0."""
    header_path: list[str]
    """The headings that it stands under, outermost first."""
    context_header: str
    """What is embedded in front of the text: where it stands."""
    context: str | None
    """What a model wrote on where it stands: searched with it, and no part of the document. Null where none was written."""
    text: str
    """The text itself."""
    char_start: int
    """Where it begins in the file's Markdown: UTF-16 code units, from 0."""
    char_end: int
    """Where it ends, exclusive."""
    page: int | None
    """The page, from 1; null where the document has none."""
    tokens: int
    """Its length in tokens, as counted here."""
    oversized: bool
    """One sentence was over the maximum and had to be cut."""


class LibraryUsageTotal(TypedDict):
    """In all."""

    calls: int
    """Calls of models; of a reranker that charges by the search, what it charged for."""
    input_tokens: int
    """All tokens read, cached ones included."""
    cached_tokens: int
    """Of the input, read from the provider's cache."""
    cache_write_tokens: int
    """Of the input, written to the provider's cache."""
    output_tokens: int
    """Tokens written."""
    cost_usd: float | None
    """An estimate from list prices; null when a price is not known."""


class LibraryUsageByPhaseItem(TypedDict):
    phase: str
    """`route`, `answer`, `summary` of turns; `research` of runs, and `document_summary` of whole documents; `file_summary`, `leaf_contexts`, `embed_files`, `embed_turns` of what is stored; `embed_queries` of what is searched for, and `rerank` of what was found, by turns and otherwise."""
    calls: int
    """Calls of models; of a reranker that charges by the search, what it charged for."""
    input_tokens: int
    """All tokens read, cached ones included."""
    cached_tokens: int
    """Of the input, read from the provider's cache."""
    cache_write_tokens: int
    """Of the input, written to the provider's cache."""
    output_tokens: int
    """Tokens written."""
    cost_usd: float | None
    """An estimate from list prices; null when a price is not known."""


class LibraryUsageByModelItem(TypedDict):
    model: str
    """The model."""
    calls: int
    """Calls of models; of a reranker that charges by the search, what it charged for."""
    input_tokens: int
    """All tokens read, cached ones included."""
    cached_tokens: int
    """Of the input, read from the provider's cache."""
    cache_write_tokens: int
    """Of the input, written to the provider's cache."""
    output_tokens: int
    """Tokens written."""
    cost_usd: float | None
    """An estimate from list prices; null when a price is not known."""


class LibraryUsageEntriesItem(TypedDict):
    phase: str
    """`route`, `answer`, `summary` of turns; `research` of runs, and `document_summary` of whole documents; `file_summary`, `leaf_contexts`, `embed_files`, `embed_turns` of what is stored; `embed_queries` of what is searched for, and `rerank` of what was found, by turns and otherwise."""
    model: str
    """The model."""
    calls: int
    """Calls of models; of a reranker that charges by the search, what it charged for."""
    input_tokens: int
    """All tokens read, cached ones included."""
    cached_tokens: int
    """Of the input, read from the provider's cache."""
    cache_write_tokens: int
    """Of the input, written to the provider's cache."""
    output_tokens: int
    """Tokens written."""
    cost_usd: float | None
    """An estimate from list prices; null when a price is not known."""


class LibraryUsage(TypedDict):
    """Tokens, calls and cost of the library so far."""

    object: Literal["library_usage"]
    """The kind of object."""
    total: LibraryUsageTotal
    """In all."""
    by_phase: list[LibraryUsageByPhaseItem]
    """By phase."""
    by_model: list[LibraryUsageByModelItem]
    """By model."""
    entries: list[LibraryUsageEntriesItem]
    """By phase and model."""


class NewApiKeyRateLimits(TypedDict):
    """0: no limit; null: as the service is set."""

    requests: int | None
    """Requests a minute, whatever they ask for."""
    expensive: int | None
    """Of them, those that call a model or convert a file: turns, research, uploads, imports, previews, searches, tools."""


class NewApiKey(TypedDict):
    """An API key as it is shown once."""

    object: Literal["api_key"]
    """The kind of object."""
    id: str
    """Names the key; not secret."""
    name: str
    """For people: who or what has it."""
    workspace: str
    """The id of the workspace whose data it opens."""
    scopes: list[Literal["read", "write", "admin", "service"]]
    """Each holds those before it: `read`, `write`, `admin` (keys and the audit log of the workspace), `service` (all workspaces)."""
    created_at: str
    """When it was made; RFC 3339, UTC."""
    created_by: str | None
    """Who made it: `key:` and the id of a key, `open`, `cli`."""
    expires_at: str | None
    """From when it is not valid any more; null: never."""
    last_used_at: str | None
    """To the minute."""
    rate_limits: NewApiKeyRateLimits
    """0: no limit; null: as the service is set."""
    key: str
    """Send it as `Authorization: Bearer`. It is not shown again."""


class NewWebhook(TypedDict):
    """A webhook with its secret, which is shown this once."""

    url: str
    """Where events are sent: http or https, without a user or a fragment."""
    description: str
    """For people: what it is for."""
    projects: list[str] | None
    """The ids of the projects that it is told of; null: of all, and of the library."""
    types: list[NewWebhookTypesItem] | None
    """The types of events that it is sent; null: all."""
    object: Literal["webhook"]
    """The kind of object."""
    id: str
    """The id of the webhook."""
    status: Literal["enabled", "disabled"]
    """Whether it is sent anything."""
    disabled_reason: Literal["asked", "failing", "gone"] | None
    """Why it is disabled: you asked for it, deliveries were given up one after another, or its receiver answered 410."""
    previous_secret_until: str | None
    """Until when the secret before this one signs, too; null: there is none."""
    created_at: str
    """When it was made; RFC 3339, UTC."""
    updated_at: str
    """When it was changed last; RFC 3339, UTC."""
    secret: str
    """What its messages are signed with: shown this once."""


class Outage(TypedDict):
    """A provider whose last call has failed."""

    phase: Literal["answer", "route", "summary", "embed", "rerank"]
    """What it is called for."""
    provider: str
    """Who was called."""
    model: str
    """The model that was called."""
    problem: Literal["settings", "unavailable", "timeout", "rejected"]
    """`settings`: the key or the model is not accepted; nothing but changing them helps."""
    since: str
    """When the first of those calls failed; RFC 3339, UTC."""
    failures: int
    """Calls that have failed since then."""
    detail: str
    """What is wrong, what to do, and what becomes of the work meanwhile."""


class Outline(TypedDict):
    """The outline of a file, or what is to be said in its place."""

    object: Literal["outline"]
    """The kind of object."""
    filename: str
    """The name of the file."""
    state: Literal["ready", "pending", "stale", "unsupported_format"]
    """`pending`: the document, or its outline, is being read. `unsupported_format`: it could not be read as text."""
    is_stale: bool
    """A newer version is being read, or could not be read: this is the one before."""
    detail: str | None
    """Why there is nothing, or why it is stale."""
    retry_after_ms: int | None
    """When it makes sense to ask again; null: nothing is under way."""
    version: int | None
    """The version that was read."""
    version_id: str | None
    """The same as one name, file and version."""
    generated_at: str | None
    """When it was made; null without one. RFC 3339, UTC."""
    outline_digest: str | None
    """Send it as `If-None-Match` to learn that nothing changed."""
    nodes: list[OutlineNode]
    """In document order, parents before their children."""
    total_nodes: int
    """Of the whole outline."""
    truncated: bool
    """Nodes were left out, the deepest levels first."""
    guardrail: str | None
    """`huge_document_guardrail`: of a document over 5 MB only the top levels are kept."""
    token_estimate: int
    """Of the whole document."""
    tokens: int
    """About how many tokens these nodes are."""


class OutlineNodeCharRange(TypedDict):
    """The node with everything below it."""

    start: int
    """Where it begins, from 0."""
    end: int
    """Where it ends, exclusive."""


class OutlineNode(TypedDict):
    """A node of an outline: a heading, a key, a paragraph or a page."""

    id: str
    """Stays the same while heading path and own text do."""
    parent_id: str | None
    """The node above; null at the top."""
    level: int
    """Heading level of Markdown, 1 to 6; depth in YAML, JSON and CSV."""
    text: str
    """Heading, key, first words of a paragraph, or page."""
    char_range: OutlineNodeCharRange
    """The node with everything below it."""
    chunk_id: str | None
    """The leaf that holds its beginning."""
    blurb: str | None
    """What stands in it, at most 240 characters."""
    token_estimate: int
    """Of everything in its range."""
    pointer_id: str
    """Reads it: GET /projects/{project_id}/pointers/{pointer_id}."""
    children: list[str]
    """Ids of the nodes right below it that are part of this answer."""


class Pattern(TypedDict):
    """A recurring organisational problem."""

    object: Literal["pattern"]
    """The kind of object."""
    key: str
    """Names it, within its mode."""
    number: int
    """Its place in the catalogue, from 1."""
    mode: Literal["discovery", "evaluation"]
    """The mode that it belongs to."""
    title: str
    """Its title, for people."""
    fires_when: str
    """When it is to be used."""
    questions: list[str]
    """Questions that it asks."""
    tokens: int
    """Tokens of its full text."""
    body: str
    """Its full text, as Markdown."""


class PointerCharRange(TypedDict):
    """UTF-16 code units into the Markdown, end exclusive."""

    start: int
    """Where it begins, from 0."""
    end: int
    """Where it ends, exclusive."""


class PointerSectionRange(TypedDict):
    """UTF-16 code units into the Markdown, end exclusive."""

    start: int
    """Where it begins, from 0."""
    end: int
    """Where it ends, exclusive."""


class PointerNearest(TypedDict):
    pointer_id: str
    """Reads it."""
    text: str
    """The heading."""
    level: int
    """Its heading level, from 1."""
    header_path: list[str]
    """The headings that it stands under, outermost first."""


class Pointer(TypedDict):
    """What a pointer leads to."""

    object: Literal["pointer"]
    """The kind of object."""
    pointer_id: str
    """Names the section or chunk."""
    state: Literal["ready", "stale", "pending", "unsupported_format", "gone"]
    """`gone`: the section is not there any more as it was; `nearest` says where to go on."""
    is_stale: bool
    """A newer version is being read, or could not be read: this is the one before."""
    detail: str | None
    """Why there is nothing, or why it is stale."""
    retry_after_ms: int | None
    """When it makes sense to ask again; null: nothing is under way."""
    filename: str
    """The name of the file."""
    version: int | None
    """The version that was read."""
    version_id: str | None
    """The same as one name, file and version."""
    header_path: list[str]
    """The headings that it stands under, outermost first."""
    text: str
    """The text; empty where there is none."""
    char_range: PointerCharRange | None
    """Of the text given."""
    section_range: PointerSectionRange | None
    """Of everything that the pointer names."""
    tokens: int
    """Of the text given."""
    token_estimate: int
    """Of everything that the pointer names."""
    continuation: str | None
    """Send it as `continuation` to read on; null: this was the end."""
    nearest: PointerNearest | None
    """Of a pointer that is gone: the nearest heading that is left."""


class Probe(TypedDict):
    """A line of questioning."""

    object: Literal["probe"]
    """The kind of object."""
    key: str
    """Names it, within its mode."""
    number: int
    """Its place in the catalogue, from 1."""
    mode: Literal["discovery", "evaluation"]
    """The mode that it belongs to."""
    title: str
    """Its title, for people."""
    fires_when: str
    """When it is to be used."""
    questions: list[str]
    """Questions that it asks."""
    tokens: int
    """Tokens of its full text."""
    fields: list[KnowledgeModesItemProbesItemFieldsItem]
    """The fields of the skeleton that it fills."""
    complete_when: list[str]
    """What has to be known for it to be done."""
    body: str
    """Its full text, as Markdown."""


class ProblemErrorsItem(TypedDict):
    pointer: str
    """A JSON pointer into the body (`/message`), or the name of a parameter or header."""
    detail: str
    """What is wrong with it."""
    code: str
    """Stable name of what is wrong."""


class _Problem(TypedDict):
    type: str
    """URL of the description of this kind of problem."""
    title: str
    """The kind of problem in words: the same whenever this code is."""
    status: int
    """The HTTP status."""
    detail: str
    """What happened, and what to do about it."""
    instance: str
    """Path of the request."""
    code: ProblemCode
    """Stable name of the kind of problem."""
    request_id: str
    """The name of the request in logs: quote it when you report the problem."""
    retryable: bool
    """Whether the same request may succeed later."""


class Problem(_Problem, total=False):
    """An error, as RFC 9457 says. Clients must ignore members they do not know."""

    retry_after_s: float
    """Seconds after which trying again makes sense; absent where nothing is known of that."""
    errors: list[ProblemErrorsItem]
    """The fields that are wrong, as JSON pointers into the body or names of parameters."""


class ProblemType(TypedDict):
    """What a code means."""

    object: Literal["problem_type"]
    """The kind of object."""
    code: str
    """Stable name of the kind of problem."""
    title: str
    """The kind of problem in words: the same whenever this code is."""
    status: int
    """The HTTP status."""
    retryable: bool
    """Whether the same request may succeed later."""


class Project(TypedDict):
    """What everything else belongs to."""

    object: Literal["project"]
    """The kind of object."""
    id: str
    """The slug of the project: part of its address."""
    name: str
    """For people."""
    turn_count: int
    """How many turns it has."""
    active_mode: Literal["discovery", "evaluation"]
    """The mode that the conversation is in."""
    contextual: bool | None
    """Whether a model writes a context for each leaf of the files that come; null: as the service is set."""
    created_at: str
    """When it was made; RFC 3339, UTC."""
    updated_at: str
    """When anything of it changed last; RFC 3339, UTC."""


class ProjectCreatedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    pass


class ProjectCreatedNotice(TypedDict):
    """The project was made, or its import has ended."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["project.created"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: ProjectCreatedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class ProjectDeletedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    pass


class ProjectDeletedNotice(TypedDict):
    """The project was deleted, with all it had told."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["project.deleted"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: ProjectDeletedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class ProjectDeletionRemoved(TypedDict):
    """What was removed with it."""

    files: int
    """Files."""
    versions: int
    """Versions of files, with their bytes."""
    parents: int
    """Sections."""
    leaves: int
    """Leaves, which are what is searched."""
    vectors: int
    """Vectors."""
    turns: int
    """Turns of the conversation."""
    summaries: int
    """Summaries."""
    jobs: int
    """Jobs that were waiting."""


class ProjectDeletion(TypedDict):
    """What a deletion removed, counted before it was removed."""

    object: Literal["deletion"]
    """The kind of object."""
    id: str
    """The slug of the project."""
    deleted: Literal[True]
    """It is gone."""
    removed: ProjectDeletionRemoved
    """What was removed with it."""


class ProjectEventList(TypedDict):
    """Events of a project, oldest first."""

    object: Literal["list"]
    """The kind of object."""
    data: list[ProjectEvent]
    """The events, oldest first."""
    has_more: bool
    """There are more by now."""
    is_trimmed: bool
    """Events that followed `after` are not kept any more (`RETENTION_FEED_DAYS`): read anew what you follow."""
    last_id: int
    """The number of the last event that you have now: send it as `after`, also where there was none."""


class ProjectImportImported(TypedDict):
    """What was taken over."""

    files: int
    """Files."""
    versions: int
    """Versions of files."""
    turns: int
    """Turns."""
    turn_events: int
    """Events of turns."""
    turn_summaries: int
    """Summaries of turns."""
    vectors: int
    """Taken over from the archive; 0 where it has none, or another embedding model's."""


class ProjectImport(TypedDict):
    """A project that was imported from an archive."""

    object: Literal["project_import"]
    """The kind of object."""
    project: Project
    """The project that was made."""
    imported: ProjectImportImported
    """What was taken over."""
    ignored: list[str]
    """Entries of the archive that this version does not know."""
    pending_files: int
    """Files that are still being ingested; their status says when they are searchable."""


class ProjectRenamedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    pass


class ProjectRenamedNotice(TypedDict):
    """The project has another name."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["project.renamed"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: ProjectRenamedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class ProjectStateFileSummariesItem(TypedDict):
    filename: str
    """The name of the file."""
    uploaded_at: str
    """When the file came; RFC 3339, UTC."""
    summary: str
    """What is in it, in a few sentences."""
    chunk_count: int
    """Its leaves."""
    version: int
    """The searchable version."""
    summary_version: int | None
    """The version that the summary was made from; null where that is not known."""


class ProjectStateAssumptionsItemSourcesItem(TypedDict):
    filename: str
    """The name of the file."""
    version: int
    """The version of the file, from 1."""


class ProjectStateAssumptionsItemStaleItem(TypedDict):
    filename: str
    """The name of the file."""
    from_version: int
    """The version that it was taken from."""
    to_version: int | None
    """The version that search sees; null: the file is gone."""


class ProjectStateAssumptionsItem(TypedDict):
    id: str
    """Names it: `a` and a number."""
    statement: str
    """One claim that can turn out false."""
    confidence: Literal["validated", "informed", "guessed"]
    """How well it is supported."""
    impact: Literal["high", "medium", "low"]
    """How much changes if it is false."""
    status: Literal["active", "at_risk", "invalidated"]
    """Whether it holds: `at_risk` when one that it depends on was invalidated."""
    depends_on: list[str]
    """Ids of assumptions that must hold for this one to."""
    source_turn: int | None
    """The turn that registered it; null when a client wrote it."""
    evidence: list[str]
    """What supports it."""
    sources: list[ProjectStateAssumptionsItemSourcesItem]
    """The versions of files that it was taken from; empty when a user said it."""
    stale: list[ProjectStateAssumptionsItemStaleItem]
    """Sources that have changed since; emptied when it is confirmed or changed."""


class ProjectStateSkeletonValueHistoryItem(TypedDict):
    value: str
    """The text."""
    turn: int | None
    """The turn that set it; null when a client did."""
    at: str
    """When it was set; RFC 3339, UTC."""


class ProjectStateSkeletonValueSourcesItem(TypedDict):
    filename: str
    """The name of the file."""
    version: int
    """The version of the file, from 1."""


class ProjectStateSkeletonValueStaleItem(TypedDict):
    filename: str
    """The name of the file."""
    from_version: int
    """The version that it was taken from."""
    to_version: int | None
    """The version that search sees; null: the file is gone."""


class ProjectStateSkeletonValue(TypedDict):
    value: str
    """The text."""
    turn: int | None
    """The turn that set it; null when a client did."""
    updated_at: str
    """When it was set; RFC 3339, UTC."""
    history: list[ProjectStateSkeletonValueHistoryItem]
    """Earlier values, oldest first."""
    sources: list[ProjectStateSkeletonValueSourcesItem]
    """The versions of files that it was taken from; empty when a user said it."""
    stale: list[ProjectStateSkeletonValueStaleItem]
    """Sources that have changed since; emptied when it is confirmed or changed."""


class ProjectStateRouting(TypedDict):
    """Where the conversation stands."""

    active_mode: Literal["discovery", "evaluation"]
    """The mode that the conversation is in."""
    active_probe: str | None
    """The probe that it goes by; null for none."""
    probes_fired: list[str]
    """Keys of the probes that were used."""
    probes_completed: list[str]
    """Keys of the probes that are done."""
    patterns_triggered: list[str]
    """Keys of the patterns that were recognised."""
    conversation_summary: str
    """What was said so far, for prompts."""


class ProjectState(TypedDict):
    """Everything the copilot has learned about a project."""

    schema_version: Literal[1]
    """The version of this document."""
    org_context: str
    """What is known of the organisation."""
    file_summaries: list[ProjectStateFileSummariesItem]
    """What is in the files: derived from them."""
    assumptions: list[ProjectStateAssumptionsItem]
    """The assumption register."""
    skeleton: dict[str, ProjectStateSkeletonValue]
    """The named fields that are known so far."""
    routing: ProjectStateRouting
    """Where the conversation stands."""
    turn_count: int
    """How many turns the project has."""
    object: Literal["project_state"]
    """The kind of object."""


class ProjectStatePatchAssumptionsItem(TypedDict, total=False):
    id: str
    """Of an assumption that is there; the next one is chosen where you leave it out."""
    statement: str
    """One claim that can turn out false."""
    confidence: Literal["validated", "informed", "guessed"]
    """How well it is supported."""
    impact: Literal["high", "medium", "low"]
    """How much changes if it is false."""
    status: Literal["active", "at_risk", "invalidated"]
    """Whether it holds: `at_risk` when one that it depends on was invalidated."""
    depends_on: list[str]
    """Ids of assumptions that must hold for this one to."""
    evidence: list[str]
    """What supports it."""


class ProjectStatePatchSkeletonValue(TypedDict):
    value: str
    """The text."""


class ProjectStatePatchRouting(TypedDict, total=False):
    active_mode: Literal["discovery", "evaluation"]
    """The mode that the conversation is in."""
    active_probe: str | None
    """The probe that it goes by; null for none."""
    probes_fired: list[str]
    """Keys of the probes that were used."""
    probes_completed: list[str]
    """Keys of the probes that are done."""
    patterns_triggered: list[str]
    """Keys of the patterns that were recognised."""


class ProjectStatePatch(TypedDict, total=False):
    """A JSON Merge Patch (RFC 7396) of the state: only the members that are to change."""

    org_context: str | None
    """What is known of the organisation; null empties it."""
    assumptions: list[ProjectStatePatchAssumptionsItem] | None
    """The whole register as it is to be: what is not in it goes. A new one needs `statement`, `confidence` and `impact`."""
    skeleton: dict[str, str | ProjectStatePatchSkeletonValue | None] | None
    """Fields by their names, each a text or `{"value": "..."}`; null erases one with its history."""
    routing: ProjectStatePatchRouting | None
    """Where the conversation stands."""


class ProjectUsageTotal(TypedDict):
    """In all."""

    calls: int
    """Calls of models; of a reranker that charges by the search, what it charged for."""
    input_tokens: int
    """All tokens read, cached ones included."""
    cached_tokens: int
    """Of the input, read from the provider's cache."""
    cache_write_tokens: int
    """Of the input, written to the provider's cache."""
    output_tokens: int
    """Tokens written."""
    cost_usd: float | None
    """An estimate from list prices; null when a price is not known."""


class ProjectUsageByPhaseItem(TypedDict):
    phase: str
    """`route`, `answer`, `summary` of turns; `research` of runs, and `document_summary` of whole documents; `file_summary`, `leaf_contexts`, `embed_files`, `embed_turns` of what is stored; `embed_queries` of what is searched for, and `rerank` of what was found, by turns and otherwise."""
    calls: int
    """Calls of models; of a reranker that charges by the search, what it charged for."""
    input_tokens: int
    """All tokens read, cached ones included."""
    cached_tokens: int
    """Of the input, read from the provider's cache."""
    cache_write_tokens: int
    """Of the input, written to the provider's cache."""
    output_tokens: int
    """Tokens written."""
    cost_usd: float | None
    """An estimate from list prices; null when a price is not known."""


class ProjectUsageByModelItem(TypedDict):
    model: str
    """The model."""
    calls: int
    """Calls of models; of a reranker that charges by the search, what it charged for."""
    input_tokens: int
    """All tokens read, cached ones included."""
    cached_tokens: int
    """Of the input, read from the provider's cache."""
    cache_write_tokens: int
    """Of the input, written to the provider's cache."""
    output_tokens: int
    """Tokens written."""
    cost_usd: float | None
    """An estimate from list prices; null when a price is not known."""


class ProjectUsageEntriesItem(TypedDict):
    phase: str
    """`route`, `answer`, `summary` of turns; `research` of runs, and `document_summary` of whole documents; `file_summary`, `leaf_contexts`, `embed_files`, `embed_turns` of what is stored; `embed_queries` of what is searched for, and `rerank` of what was found, by turns and otherwise."""
    model: str
    """The model."""
    calls: int
    """Calls of models; of a reranker that charges by the search, what it charged for."""
    input_tokens: int
    """All tokens read, cached ones included."""
    cached_tokens: int
    """Of the input, read from the provider's cache."""
    cache_write_tokens: int
    """Of the input, written to the provider's cache."""
    output_tokens: int
    """Tokens written."""
    cost_usd: float | None
    """An estimate from list prices; null when a price is not known."""


class ProjectUsage(TypedDict):
    """Tokens, calls and cost of a project so far."""

    object: Literal["project_usage"]
    """The kind of object."""
    project_id: str
    """The slug of the project."""
    total: ProjectUsageTotal
    """In all."""
    by_phase: list[ProjectUsageByPhaseItem]
    """By phase."""
    by_model: list[ProjectUsageByModelItem]
    """By model."""
    entries: list[ProjectUsageEntriesItem]
    """By phase and model."""


class QueryReadingPhrasesItem(TypedDict):
    text: str
    """What stands in quotation marks."""
    is_found: bool
    """Some section has it word by word; else its words were looked for."""


class QueryReadingTakenForItem(TypedDict):
    word: str
    """The word of the query."""
    taken_for: str
    """The word of the documents that was looked for."""


class QueryReading(TypedDict):
    """How the words of a query were read, where documents are searched."""

    phrases: list[QueryReadingPhrasesItem]
    """What the query quotes. Sections that have it, word by word in any case, come first."""
    taken_for: list[QueryReadingTakenForItem]
    """Words that no document has, taken for slips of words that are nearly the same."""


class Quotas(TypedDict):
    """What a workspace may hold and spend; null: no limit."""

    projects: int | None
    """Projects; the library is none."""
    files: int | None
    """Files of all projects and of the library."""
    bytes: int | None
    """Bytes of their originals, of all versions that are kept."""
    keys: int | None
    """API keys, expired ones included."""
    tokens_per_month: int | None
    """Tokens read and written by models in a calendar month, in UTC."""
    usd_per_month: float | None
    """The same in US dollars, at list prices."""


class _ReadinessDatabase(TypedDict):
    ok: bool
    """Whether it is all right."""
    kind: Literal["embedded", "server"]
    """Embedded in the process, or a server."""


class ReadinessDatabase(_ReadinessDatabase, total=False):
    """The database."""

    detail: str
    """What is wrong, where it is not."""


class _ReadinessAccepting(TypedDict):
    ok: bool
    """Whether it is all right."""


class ReadinessAccepting(_ReadinessAccepting, total=False):
    """Whether new work is taken on."""

    detail: str
    """What is wrong, where it is not."""


class ReadinessEmbedding(TypedDict):
    """What documents and queries are embedded with."""

    provider: Literal["voyage", "openai", "local", "off"]
    """Who embeds; `local`: this process."""
    model: str
    """The embedding model."""
    dimensions: int
    """Numbers of a vector; 0 where embeddings are switched off."""


class ReadinessRerank(TypedDict):
    provider: Literal["voyage", "cohere", "tei", "local"]
    """Who is asked; `local`: processes of the service."""
    model: str
    """The reranker."""


class ReadinessModels(TypedDict):
    """The language models."""

    provider: Literal["anthropic", "openai", "offline"]
    """Who answers; `offline`: rules of this process, without a model."""
    answer: str
    """The model that answers."""
    router: str
    """The model that routes."""
    summary: str
    """The model that summarises."""


class ReadinessRetirementsItem(TypedDict):
    model: str
    """The model."""
    date: str
    """The day, in UTC."""
    announced: bool
    """Its provider switches the model off on that day; else not before it."""


class Readiness(TypedDict):
    """Whether the service can do its work, and with what."""

    object: Literal["readiness"]
    """The kind of object."""
    ready: bool
    """Whether it can do its work."""
    status: Literal["ok", "degraded", "unavailable"]
    """`degraded`: ready, but the last call of some provider has failed; `reasons` says which."""
    reasons: list[Outage]
    """The providers whose last call has failed."""
    database: ReadinessDatabase
    """The database."""
    accepting: ReadinessAccepting
    """Whether new work is taken on."""
    embedding: ReadinessEmbedding
    """What documents and queries are embedded with."""
    rerank: ReadinessRerank | None
    """What puts the sections that a search finds into their order; null: the search alone."""
    models: ReadinessModels
    """The language models."""
    retirements: list[ReadinessRetirementsItem]
    """When the language models in use are switched off, as far as their provider has said."""


class ReasoningDeltaEventData(TypedDict):
    """What the event tells, as JSON."""

    text: str
    """More of the thoughts."""


class ReasoningDeltaEvent(TypedDict):
    """Thoughts of a model that shows them, in its own summary; of a run, also what it says before it calls a tool. They are no part of the answer."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["reasoning.delta"]
    """What has happened."""
    data: ReasoningDeltaEventData
    """What the event tells, as JSON."""


class RerankReport(TypedDict):
    """What became of the order that a reranker was asked for."""

    model: str
    """The reranker."""
    outcome: Literal["done", "failed", "timeout", "paused"]
    """`done`: the order is its. Else the order is that of the search: it failed, was late, or was not asked, since its provider wants a pause or it has just failed more than once."""
    candidates: int
    """Sections that it was to order."""


class ResearchRunStepsItem(TypedDict):
    n: int
    """From 1."""
    thought: str
    """Why, as far as the model says; empty where it does not."""
    tool: str
    """The name of the tool."""
    input: Any
    """What it was called with, as JSON."""
    output: str
    """What the model was given."""
    is_error: bool
    """It could not be done, and `output` says why."""
    ms: float
    """How long it took, in milliseconds."""


class ResearchRunCandidatesItem(TypedDict):
    filename: str
    """The name of the file."""
    why: str
    """What of the question fits the file."""


ResearchRunLimitsAppliedItem = TypedDict(
    "ResearchRunLimitsAppliedItem",
    {
        "limit": 'Literal["max_input_tokens", "max_cost_usd", "max_steps"]',
        "setting": 'Literal["budget", "documents", "recalled_turns", "tool_rounds", "output_tokens", "summary", "exceeded"]',
        "from": 'float',
        "to": 'float',
    },
)


class _ResearchRunTimingsMs(TypedDict):
    total: float
    """From beginning to end."""


class ResearchRunTimingsMs(_ResearchRunTimingsMs, total=False):
    first_token: float
    """Until the answer began."""


class _ResearchRunError(TypedDict):
    code: str
    """Stable name of the failure."""
    detail: str
    """What happened, and what to do about it."""
    retryable: bool
    """Whether another attempt may succeed."""


class ResearchRunError(_ResearchRunError, total=False):
    retry_after_s: float
    """Seconds after which trying again makes sense, as the provider asked."""


class ResearchRun(TypedDict):
    """A question that is answered in several steps."""

    object: Literal["research_run"]
    """The kind of object."""
    id: str
    """Names the run."""
    status: Literal["in_progress", "completed", "needs_clarification", "step_limit_reached", "failed", "cancelled"]
    """How far it is, or how it ended."""
    question: str
    """What was asked."""
    answer: str | None
    """With markers that `citations` resolve; where a file is to be chosen, the question back."""
    steps: list[ResearchRunStepsItem]
    """What was done, in its order."""
    citations: list[Citation]
    """What the markers in the answer lead to."""
    candidates: list[ResearchRunCandidatesItem]
    """Files that the question can mean. Ask again with the right ones in `files`."""
    limits_applied: list[ResearchRunLimitsAppliedItem]
    """What your limits changed. `exceeded`: the provider counted more than was foreseen."""
    usage: Usage | None
    """Tokens and cost; null until it has ended."""
    timings_ms: ResearchRunTimingsMs | None
    """How long it took, in milliseconds; null until it has ended."""
    model: str | None
    """The model that answered; null until it has ended."""
    stop_reason: Literal["end_turn", "max_tokens", "tool_use"] | None
    """How the reply ended: by itself, cut off at its limit of tokens, or with no rounds left for another call. Null without a whole reply."""
    error: ResearchRunError | None
    """Why it failed; null where it did not."""
    attempt: int
    """Which attempt this is, from 1."""
    created_at: str
    """When it was asked for; RFC 3339, UTC."""
    completed_at: str | None
    """When it ended; null while it goes on. RFC 3339, UTC."""


class RouteDecidedEvent(TypedDict):
    """The router has decided how the turn goes on."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["route.decided"]
    """What has happened."""
    data: Routing
    """What the event tells, as JSON."""


class Routing(TypedDict):
    """Phase A's decision."""

    next_probe: str | None
    """The probe that the turn goes by; null for none."""
    triggered_patterns: list[str]
    """Patterns that the conversation shows."""
    active_mode: Literal["discovery", "evaluation"]
    """The mode that the conversation is in."""
    action: Literal["probe", "synthesise", "switch_mode", "answer"]
    """What the turn is to do."""
    requires_retrieval: bool
    """Whether documents and earlier turns are looked up."""
    relevant_files: list[str]
    """Files that the message probably means."""
    reason: str
    """Why, in a sentence."""
    source: Literal["model", "offline", "fallback", "override"]
    """Who decided: `fallback` when the router failed, `override` when the caller said whether to retrieve."""
    notes: list[str]
    """What of the router's reply could not be used, and what was done instead."""


class RunCancelledEvent(TypedDict):
    """The run was cancelled."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["run.cancelled"]
    """What has happened."""
    data: ResearchRun
    """What the event tells, as JSON."""


class RunCancelledNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    run_id: str
    """The id of the research run."""


class RunCancelledNotice(TypedDict):
    """A research run was cancelled."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["run.cancelled"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: RunCancelledNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class RunCompletedEvent(TypedDict):
    """The run has ended with an answer."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["run.completed"]
    """What has happened."""
    data: ResearchRun
    """What the event tells, as JSON."""


class RunCompletedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    run_id: str
    """The id of the research run."""


class RunCompletedNotice(TypedDict):
    """A research run has its answer."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["run.completed"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: RunCompletedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class RunCreatedEvent(TypedDict):
    """The run was recorded, and begins."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["run.created"]
    """What has happened."""
    data: ResearchRun
    """What the event tells, as JSON."""


class RunFailedEvent(TypedDict):
    """The run has ended without an answer."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["run.failed"]
    """What has happened."""
    data: RunProblem
    """What the event tells, as JSON."""


class RunFailedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    run_id: str
    """The id of the research run."""


class RunFailedNotice(TypedDict):
    """A research run has ended without an answer."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["run.failed"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: RunFailedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class RunNeedsClarificationEvent(TypedDict):
    """The question can mean several files: the run has ended with the choice."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["run.needs_clarification"]
    """What has happened."""
    data: ResearchRun
    """What the event tells, as JSON."""


class RunNeedsClarificationNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    run_id: str
    """The id of the research run."""


class RunNeedsClarificationNotice(TypedDict):
    """A research run has ended with a choice of files."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["run.needs_clarification"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: RunNeedsClarificationNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class RunProblemErrorsItem(TypedDict):
    pointer: str
    """A JSON pointer into the body (`/message`), or the name of a parameter or header."""
    detail: str
    """What is wrong with it."""
    code: str
    """Stable name of what is wrong."""


class _RunProblem(TypedDict):
    type: str
    """URL of the description of this kind of problem."""
    title: str
    """The kind of problem in words: the same whenever this code is."""
    status: int
    """The HTTP status."""
    detail: str
    """What happened, and what to do about it."""
    instance: str
    """Path of the request."""
    code: ProblemCode
    """Stable name of the kind of problem."""
    request_id: str
    """The name of the request in logs: quote it when you report the problem."""
    retryable: bool
    """Whether the same request may succeed later."""
    run: ResearchRun
    """The run that failed."""


class RunProblem(_RunProblem, total=False):
    """Why a research run failed, and the run."""

    retry_after_s: float
    """Seconds after which trying again makes sense; absent where nothing is known of that."""
    errors: list[RunProblemErrorsItem]
    """The fields that are wrong, as JSON pointers into the body or names of parameters."""


class RunStartedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    run_id: str
    """The id of the research run."""


class RunStartedNotice(TypedDict):
    """A research run was begun, or is made once more."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["run.started"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: RunStartedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class RunStepLimitReachedEvent(TypedDict):
    """The run has ended with what it had found when its steps were used up."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["run.step_limit_reached"]
    """What has happened."""
    data: ResearchRun
    """What the event tells, as JSON."""


class RunStepLimitReachedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    run_id: str
    """The id of the research run."""


class RunStepLimitReachedNotice(TypedDict):
    """A research run has ended with its steps used up."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["run.step_limit_reached"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: RunStepLimitReachedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class SearchAnswer(TypedDict):
    """What a search gives."""

    object: Literal["list"]
    """The kind of object."""
    data: list[DocumentPassage | TurnPassage]
    """The passages, best first."""
    strategy: Literal["hybrid", "semantic", "lexical", "lexical_fallback", "hybrid+rerank", "semantic+rerank", "lexical+rerank", "lexical_fallback+rerank"]
    """`lexical_fallback`: the embedding provider failed, or nothing that was searched has a vector yet, and full text alone answered. `+rerank`: a reranker has put the sections into its order."""
    rerank: RerankReport | None
    """Of the sections of documents; null where no reranker is set up, none was wanted, or there was nothing to order."""
    reading: QueryReading
    embedding_model: str
    """The model that the query was embedded with."""
    latency_ms: float
    """How long the search took, in milliseconds."""
    has_more: bool
    """More reach `min_score` than `limit` lets through."""
    vectors_pending: int
    """Leaves of the files that were searched that have no vector yet, and were looked for by their words alone. 0 as a rule."""
    detail: str | None
    """That the library was searched and has nothing to find, and what to do; null otherwise."""
    min_score: float
    """The least score of what is shown."""
    considered: int
    """Sections, and turns where they were asked for, that were searched."""
    below_floor: int
    """How many of the best were left out because their score is less than `min_score`."""
    likeliest_file: str | None
    """The file that bears on the query most likely, however little: where to look when nothing is shown. Null: nothing was found."""


class SectionPointerOutlineContext(TypedDict):
    node_id: str
    """Of its node in the outline."""
    pointer_id: str
    """Reads the section."""
    level: int
    """Its heading level, from 1."""
    text: str
    """Its heading."""
    header_path: list[str]
    """The headings that it stands under, outermost first."""
    token_estimate: int
    """Tokens of the whole section."""


class SectionPointer(TypedDict):
    """A section that a query found, to be read by its pointer."""

    chunk_id: str
    """The leaf that matched."""
    pointer_id: str
    """Reads the section it stands in or, where that is longer than 2,000 tokens, the chunk itself."""
    score: float
    """Confidence, 0 to 1."""
    preview: str
    """One line, from where the words of the query stand."""
    token_estimate: int
    """Of what the pointer leads to."""
    page: int | None
    """The page, from 1; null where the document has none."""
    outline_context: SectionPointerOutlineContext | None
    """The section: where it stands in the outline."""


class Sections(TypedDict):
    """What a search for the sections of a file gives."""

    object: Literal["sections"]
    """The kind of object."""
    filename: str
    """The name of the file."""
    state: Literal["ready", "stale", "pending", "unsupported_format", "offline_fallback", "offline_no_results"]
    """`offline_…`: the query could not be embedded, and words and headings alone were gone by."""
    is_stale: bool
    """A newer version is being read, or could not be read: this is the one before."""
    detail: str | None
    """Why there is nothing, or why it is stale."""
    retry_after_ms: int | None
    """When it makes sense to ask again; null: nothing is under way."""
    version: int | None
    """The version that was read."""
    version_id: str | None
    """The same as one name, file and version."""
    latency_ms: float
    """How long the search took, in milliseconds."""
    strategy: Literal["hybrid", "fallback", "none"]
    """`none`: there is nothing to search yet."""
    pointers: list[SectionPointer]
    """Best first, each section once."""


class Speculation(TypedDict):
    """The search that was begun with the routing, so that it adds no waiting; milliseconds since the turn began. Null where none was: with `retrieval: never`, and for a priming turn."""

    probe: str | None
    """The probe that it went by: that of the turn before."""
    started_ms: float
    """When it began, as the router was asked."""
    finished_ms: float | None
    """Null when it was thrown away and had not ended with the turn."""
    route_finished_ms: float
    """When the router had answered."""
    overlap_ms: float
    """How long routing and search ran side by side."""
    used: bool
    """Whether what it found was used."""
    outcome: Literal["used", "not_needed", "other_probe"]
    """What became of it; `not_needed`: the router found that nothing was to be looked up; `other_probe`: the search was made again with the new probe (the message is embedded once)."""


class StaleItemCausesItem(TypedDict):
    filename: str
    """The name of the file."""
    from_version: int
    """The version that it was taken from."""
    to_version: int | None
    """The version that search sees; null: the file is gone."""


class StaleItem(TypedDict):
    """An entry of the state that rests on a file as it no longer is."""

    object: Literal["stale_item"]
    """The kind of object."""
    kind: Literal["assumption", "skeleton_field", "file_summary"]
    """What kind of entry it is."""
    id: str
    """Of the assumption, the skeleton field or the file."""
    text: str
    """The statement, value or summary that may no longer hold."""
    causes: list[StaleItemCausesItem]
    """The files that it was taken from, as they were and as they are; null: deleted."""


class StateChangedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    version: int
    """The version of the state, as in its `ETag`."""


class StateChangedNotice(TypedDict):
    """The state has changed, and with it the artifacts that are rendered from it."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["state.changed"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: StateChangedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class StoredFileProgress(TypedDict):
    """How far the newest version is."""

    chunks_done: int
    """Leaves that are embedded."""
    chunks_total: int
    """Leaves that there are to embed; 0 until that is known."""


class StoredFileContextsLastError(TypedDict):
    code: str
    """Stable name of the failure."""
    message: str
    """What happened, and what to do about it."""
    retryable: bool
    """Whether another attempt may succeed."""


class StoredFileContexts(TypedDict):
    """How far the contexts of the searchable version are."""

    state: Literal["none", "pending", "ready", "partial", "failed"]
    """`none`: none are written. `pending`: they are being written or taken away. `ready`: every leaf has one. `partial`, `failed`: some or all leaves go without."""
    leaves: int
    """Leaves of the searchable version that have one."""
    last_error: StoredFileContextsLastError | None
    """Why leaves go without, where a call has failed."""


class _StoredFileFidelityLossesItem(TypedDict):
    kind: str
    """`heading`, `table`, `image`, `comment` and the like."""
    count: int
    """How many of them."""


class StoredFileFidelityLossesItem(_StoredFileFidelityLossesItem, total=False):
    detail: str
    """What exactly, where that is known."""


class StoredFileFidelity(TypedDict):
    """What the conversion kept and lost."""

    score: float
    """1 when all structure arrived."""
    losses: list[StoredFileFidelityLossesItem]
    """What did not arrive, by kind."""


class StoredFileLastError(TypedDict):
    code: str
    """Stable name of the failure."""
    message: str
    """What happened, and what to do about it."""
    retryable: bool
    """Whether another attempt may succeed."""


class StoredFile(TypedDict):
    """A document, with what its newest version adds."""

    object: Literal["file"]
    """The kind of object."""
    name: str
    """The name, unique in its place; part of its address."""
    media_type: str
    """Its media type, as its name and its bytes say."""
    bytes: int
    """The length of the newest upload, in bytes."""
    sha256: str
    """sha-256 of the bytes, in hex."""
    version: int
    """The newest upload, from 1."""
    status: Literal["queued", "in_progress", "completed", "failed"]
    """How far the newest version is: `queued`, `in_progress`, `completed` or `failed`."""
    stage: Literal["converting", "chunking", "embedding", "storing", "summarizing"] | None
    """While in progress."""
    progress: StoredFileProgress
    """How far the newest version is."""
    searchable_version: int | None
    """The version that search finds; the one before stays until the next is ready. A first version is found by its words as soon as it is converted, before it is `completed`."""
    vectors_pending: int
    """Leaves of the searchable version that have no vector yet: they are found by their words, and not by meaning. 0 as a rule."""
    chunk_count: int
    """Leaves of the searchable version."""
    parent_count: int
    """Sections of the searchable version."""
    token_estimate: int
    """Tokens of the searchable version."""
    language: str | None
    """Language whose rules the words of the searchable version are searched by, as ISO 639-1 has it (`de`); null: English, or not known."""
    summary: str | None
    """What is in it, in a few sentences; null until it was summarised."""
    summary_status: Literal["pending", "completed", "failed"]
    """How far the summary is."""
    contextual: bool | None
    """Whether a model writes a context for each leaf, as the upload has asked; null: as the project or the service is set."""
    contexts: StoredFileContexts
    """How far the contexts of the searchable version are."""
    fidelity: StoredFileFidelity | None
    """What the conversion kept and lost; null until it was converted."""
    last_error: StoredFileLastError | None
    """Why the current attempt failed, and what to do."""
    attempt: int
    """How often its ingestion was begun; 0 while it waits for the first time."""
    retry_at: str | None
    """While in progress: when the provider that is waited for is asked again."""
    waiting_on_rate_limit: bool
    """The wait is for a provider that asked for fewer requests."""
    uploaded_at: str
    """When the newest version came; RFC 3339, UTC."""
    updated_at: str
    """When anything of this changed last; RFC 3339, UTC."""


class ToolAnnotations(TypedDict):
    """What the Model Context Protocol says of tools."""

    readOnlyHint: Literal[True]
    """It changes nothing."""
    idempotentHint: Literal[True]
    """The same call does the same again."""
    openWorldHint: Literal[False]
    """It reads nothing but what is stored here."""


class Tool(TypedDict):
    """A tool as it is listed."""

    object: Literal["tool"]
    """The kind of object."""
    name: str
    """The name of the tool."""
    description: str
    """For the model that is to call it: when to, and when not."""
    input_schema: dict[str, Any]
    """JSON Schema of the input."""
    annotations: ToolAnnotations
    """What the Model Context Protocol says of tools."""


class ToolCalledEventData(TypedDict):
    """What the event tells, as JSON."""

    id: str
    """Of the call: the same in `tool.called` and `tool.returned`."""
    name: str
    """Of the tool."""
    input: Any
    """What it is called with, as JSON."""


class ToolCalledEvent(TypedDict):
    """The model calls a tool."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["tool.called"]
    """What has happened."""
    data: ToolCalledEventData
    """What the event tells, as JSON."""


class ToolResultPassagesItem(TypedDict):
    marker: int
    """The number in the reply: `[1]`."""
    filename: str
    """The name of the file."""
    version: int
    """The version of the file, from 1."""
    header_path: list[str]
    """The headings that it stands under, outermost first."""
    page: int | None
    """The page, from 1; null where the document has none."""
    char_start: int
    """Where it begins in the file's Markdown: UTF-16 code units, from 0."""
    char_end: int
    """Where it ends, exclusive."""
    parent_id: str
    """The id of the section that it belongs to."""
    text: str
    """The text of the passage."""


class ToolResult(TypedDict):
    """What a call by hand gives."""

    object: Literal["tool_result"]
    """The kind of object."""
    tool: str
    """The name of the tool."""
    content: str
    """What a model is given."""
    passages: list[ToolResultPassagesItem]
    """The stretches of documents in `content`, each under the number that cites it."""
    structured: dict[str, Any] | None
    """The same as values, where it is more than text."""
    is_error: bool
    """It could not be done, and `content` says why: a file that is not there, for one."""
    ms: float
    """How long it took, in milliseconds."""


class ToolReturnedEventData(TypedDict):
    """What the event tells, as JSON."""

    id: str
    """Of the call: the same in `tool.called` and `tool.returned`."""
    name: str
    """Of the tool."""
    content: str
    """What the model is given."""
    is_error: bool
    """It could not be done, and `content` says why."""


class ToolReturnedEvent(TypedDict):
    """The call of a tool has ended."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["tool.returned"]
    """What has happened."""
    data: ToolReturnedEventData
    """What the event tells, as JSON."""


class TurnUsedStaleItemCausesItem(TypedDict):
    filename: str
    """The name of the file."""
    from_version: int
    """The version that it was taken from."""
    to_version: int | None
    """The version that search sees; null: the file is gone."""


class TurnUsedStaleItem(TypedDict):
    kind: Literal["assumption", "skeleton_field", "file_summary"]
    """What kind of entry it is."""
    id: str
    """Of the assumption, the skeleton field or the file."""
    causes: list[TurnUsedStaleItemCausesItem]
    """The files that it was taken from, as they were and as they are."""


TurnLimitsAppliedItem = TypedDict(
    "TurnLimitsAppliedItem",
    {
        "limit": 'Literal["max_input_tokens", "max_cost_usd", "max_tool_rounds"]',
        "setting": 'Literal["budget", "documents", "recalled_turns", "tool_rounds", "output_tokens", "summary", "exceeded"]',
        "from": 'float',
        "to": 'float',
    },
)


class _TurnError(TypedDict):
    code: str
    """Stable name of the failure."""
    detail: str
    """What happened, and what to do about it."""
    retryable: bool
    """Whether another attempt may succeed."""


class TurnError(_TurnError, total=False):
    retry_after_s: float
    """Seconds after which trying again makes sense, as the provider asked."""


class Turn(TypedDict):
    """One user message and its reply."""

    object: Literal["turn"]
    """The kind of object."""
    turn_number: int
    """Its number in the project, from 1."""
    status: Literal["in_progress", "completed", "failed", "cancelled"]
    """How far it is, or how it ended."""
    message: str
    """What the user said; empty for a priming turn."""
    priming: bool
    """The copilot opened the project: there was no message."""
    response: str | None
    """The reply, with markers that `citations` resolve; null until there is one."""
    routing: Routing | None
    """What the router decided; null until it was routed, and for a turn that is not."""
    citations: list[Citation]
    """What the markers in the reply lead to."""
    state_changes: list[dict[str, Any]]
    """What the turn changed in the state, in its order."""
    context: ContextDigest | None
    """What was sent, in short; null until it was put together."""
    used_stale: list[TurnUsedStaleItem]
    """What was in the prompt although a file that it was taken from has changed since."""
    limits_applied: list[TurnLimitsAppliedItem]
    """What your limits changed. `exceeded`: the provider counted more than was foreseen; `from` is your limit."""
    usage: Usage | None
    """Tokens and cost; null until it has ended."""
    timings_ms: dict[str, float] | None
    """Milliseconds of each step; null until it has ended."""
    model: str | None
    """The model that answered; `offline` when no language model did."""
    stop_reason: Literal["end_turn", "max_tokens", "tool_use"] | None
    """How the reply ended: by itself, cut off at its limit of tokens, or with no rounds left for another call. Null without a whole reply."""
    truncated: bool
    """The reply was cut off at its limit of tokens: `stop_reason` is `max_tokens`."""
    error: TurnError | None
    """Why it failed; null where it did not."""
    attempt: int
    """Which attempt this is, from 1."""
    created_at: str
    """When it was begun; RFC 3339, UTC."""
    completed_at: str | None
    """When it ended; null while it goes on. RFC 3339, UTC."""


class TurnCancelledEvent(TypedDict):
    """The turn was cancelled."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["turn.cancelled"]
    """What has happened."""
    data: Turn
    """What the event tells, as JSON."""


class TurnCancelledNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    turn_number: int
    """The number of the turn."""


class TurnCancelledNotice(TypedDict):
    """A turn was cancelled."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["turn.cancelled"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: TurnCancelledNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class TurnCompletedEvent(TypedDict):
    """The turn has ended with a reply."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["turn.completed"]
    """What has happened."""
    data: Turn
    """What the event tells, as JSON."""


class TurnCompletedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    turn_number: int
    """The number of the turn."""


class TurnCompletedNotice(TypedDict):
    """A turn has its reply."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["turn.completed"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: TurnCompletedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class _TurnContextSectionsItemItemsItem(TypedDict):
    id: str
    """What it is: a file and its section, a turn, a field of the state."""
    tokens: int
    """Its length in tokens."""
    narrowed: bool
    """A shorter form of it was sent."""


class TurnContextSectionsItemItemsItem(_TurnContextSectionsItemItemsItem, total=False):
    source: Literal["project", "library"]
    """Of a document: where its file is."""


class TurnContextSectionsItem(TypedDict):
    name: str
    """Of the part of the prompt."""
    tokens: int
    """Its length in tokens."""
    items: list[TurnContextSectionsItemItemsItem]
    """What it is made of."""
    text: str
    """The text that was sent."""


class TurnContextDroppedItem(TypedDict):
    section: str
    """The part of the prompt that it would have been in."""
    id: str
    """What it is: a file and its section, a turn, a field of the state."""
    tokens: int
    """Tokens that it would have taken."""
    reason: str
    """Why it was left out."""


class TurnContextUsedStaleItemCausesItem(TypedDict):
    filename: str
    """The name of the file."""
    from_version: int
    """The version that it was taken from."""
    to_version: int | None
    """The version that search sees; null: the file is gone."""


class TurnContextUsedStaleItem(TypedDict):
    kind: Literal["assumption", "skeleton_field", "file_summary"]
    """What kind of entry it is."""
    id: str
    """Of the assumption, the skeleton field or the file."""
    causes: list[TurnContextUsedStaleItemCausesItem]
    """The files that it was taken from, as they were and as they are."""


TurnContextLimitsAppliedItem = TypedDict(
    "TurnContextLimitsAppliedItem",
    {
        "limit": 'Literal["max_input_tokens", "max_cost_usd", "max_tool_rounds"]',
        "setting": 'Literal["budget", "documents", "recalled_turns", "tool_rounds", "output_tokens", "summary", "exceeded"]',
        "from": 'float',
        "to": 'float',
    },
)


class TurnContextRetrieval(TypedDict):
    """What was looked up."""

    documents: str | None
    """The strategy that found the documents; null when none were looked for."""
    turns: str | None
    """The strategy that found earlier turns; null when none were looked for."""
    rerank: RerankReport | None
    """Of the documents; null where no reranker is set up, or there was nothing to order."""
    embedding_model: str | None
    """The model that queries were embedded with; null when nothing was looked for."""
    min_score: float | None
    """The least score of what is sent; null when no documents were looked for."""
    considered: int
    """Sections of files that were searched."""
    below_floor: int
    """How many of the best were left out because their score is less than `min_score`."""
    likeliest_file: str | None
    """The file that bears on the query most likely, however little: where to look when nothing is shown. Null: nothing was found."""


class TurnContextModels(TypedDict):
    """The language models."""

    router: str | None
    """The one that routed; null where nothing was routed."""
    answer: str | None
    """The one that answered; null where none did."""


class TurnContextCitations(TypedDict):
    resolved: int
    """Markers that lead to a passage."""
    removed: int
    """Markers that resolved to nothing and were taken out."""


class TurnContext(TypedDict):
    """What a turn sent, what it left out, and what it cost."""

    object: Literal["turn_context"]
    """The kind of object."""
    turn_number: int
    """The number of the turn, from 1."""
    budget: int
    """Tokens that the prompt could have."""
    budget_raised_by: int
    """Tokens of `budget` beyond what is configured, so that the assumption register is whole."""
    tokens: int
    """Counted before sending; `usage` has what the provider counted."""
    sections: list[TurnContextSectionsItem]
    """Everything that was sent, in its order."""
    dropped: list[TurnContextDroppedItem]
    """What did not fit, and why."""
    used_stale: list[TurnContextUsedStaleItem]
    """What was in the prompt although a file that it was taken from has changed since."""
    limits_applied: list[TurnContextLimitsAppliedItem]
    """What your limits changed. `exceeded`: the provider counted more than was foreseen; `from` is your limit."""
    token_factor: float
    """Tokens that the provider counts for one that is counted here, as learned from its replies."""
    routing: Routing | None
    """What the router decided; null where nothing was routed."""
    retrieval: TurnContextRetrieval
    """What was looked up."""
    speculation: Speculation | None
    """The search that was begun with the routing; null where none was."""
    models: TurnContextModels
    """The language models."""
    stop_reason: Literal["end_turn", "max_tokens", "tool_use"] | None
    """How the reply ended: by itself, cut off at its limit of tokens, or with no rounds left for another call. Null without a whole reply."""
    usage: Usage
    """Tokens and cost, in all and by phase."""
    cost_usd: float | None
    """In US dollars, at list prices; null when a price is not known."""
    timings_ms: dict[str, float]
    """Milliseconds of each step; a step that did not happen is not there. `overlap`: how long routing and retrieval ran side by side."""
    citations: TurnContextCitations | None
    """What became of the markers in the reply; null without a reply."""


class TurnCreatedEvent(TypedDict):
    """The turn was recorded, and begins."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["turn.created"]
    """What has happened."""
    data: Turn
    """What the event tells, as JSON."""


class _TurnDryRunSectionsItemItemsItem(TypedDict):
    id: str
    """What it is: a file and its section, a turn, a field of the state."""
    tokens: int
    """Its length in tokens."""
    narrowed: bool
    """A shorter form of it was sent."""


class TurnDryRunSectionsItemItemsItem(_TurnDryRunSectionsItemItemsItem, total=False):
    source: Literal["project", "library"]
    """Of a document: where its file is."""


class TurnDryRunSectionsItem(TypedDict):
    name: str
    """Of the part of the prompt."""
    tokens: int
    """Its length in tokens."""
    items: list[TurnDryRunSectionsItemItemsItem]
    """What it is made of."""
    text: str
    """The text that was sent."""


class TurnDryRunDroppedItem(TypedDict):
    section: str
    """The part of the prompt that it would have been in."""
    id: str
    """What it is: a file and its section, a turn, a field of the state."""
    tokens: int
    """Tokens that it would have taken."""
    reason: str
    """Why it was left out."""


class TurnDryRunUsedStaleItemCausesItem(TypedDict):
    filename: str
    """The name of the file."""
    from_version: int
    """The version that it was taken from."""
    to_version: int | None
    """The version that search sees; null: the file is gone."""


class TurnDryRunUsedStaleItem(TypedDict):
    kind: Literal["assumption", "skeleton_field", "file_summary"]
    """What kind of entry it is."""
    id: str
    """Of the assumption, the skeleton field or the file."""
    causes: list[TurnDryRunUsedStaleItemCausesItem]
    """The files that it was taken from, as they were and as they are."""


TurnDryRunLimitsAppliedItem = TypedDict(
    "TurnDryRunLimitsAppliedItem",
    {
        "limit": 'Literal["max_input_tokens", "max_cost_usd", "max_tool_rounds"]',
        "setting": 'Literal["budget", "documents", "recalled_turns", "tool_rounds", "output_tokens", "summary", "exceeded"]',
        "from": 'float',
        "to": 'float',
    },
)


class TurnDryRunRetrieval(TypedDict):
    """What was looked up."""

    documents: str | None
    """The strategy that found the documents; null when none were looked for."""
    turns: str | None
    """The strategy that found earlier turns; null when none were looked for."""
    rerank: RerankReport | None
    """Of the documents; null where no reranker is set up, or there was nothing to order."""
    embedding_model: str | None
    """The model that queries were embedded with; null when nothing was looked for."""
    min_score: float | None
    """The least score of what is sent; null when no documents were looked for."""
    considered: int
    """Sections of files that were searched."""
    below_floor: int
    """How many of the best were left out because their score is less than `min_score`."""
    likeliest_file: str | None
    """The file that bears on the query most likely, however little: where to look when nothing is shown. Null: nothing was found."""


class TurnDryRunModels(TypedDict):
    """The language models."""

    router: str | None
    """The one that routed; null where nothing was routed."""
    answer: str | None
    """The one that answered; null where none did."""


class TurnDryRunCitations(TypedDict):
    resolved: int
    """Markers that lead to a passage."""
    removed: int
    """Markers that resolved to nothing and were taken out."""


class TurnDryRunPrediction(TypedDict):
    """What the answer would cost."""

    model: str
    """The model that would answer."""
    input_tokens: int
    """Tokens that it would read."""
    max_output_tokens: int
    """The most tokens that it could write."""
    min_cost_usd: float | None
    """In US dollars, for the input alone; null when the price is not known."""
    max_cost_usd: float | None
    """In US dollars, with the longest reply there can be; null when the price is not known."""


class TurnDryRun(TypedDict):
    """The receipt that a turn would have, and what its answer would cost."""

    object: Literal["turn_context"]
    """The kind of object."""
    turn_number: int
    """The number of the turn, from 1."""
    budget: int
    """Tokens that the prompt could have."""
    budget_raised_by: int
    """Tokens of `budget` beyond what is configured, so that the assumption register is whole."""
    tokens: int
    """Counted before sending; `usage` has what the provider counted."""
    sections: list[TurnDryRunSectionsItem]
    """Everything that was sent, in its order."""
    dropped: list[TurnDryRunDroppedItem]
    """What did not fit, and why."""
    used_stale: list[TurnDryRunUsedStaleItem]
    """What was in the prompt although a file that it was taken from has changed since."""
    limits_applied: list[TurnDryRunLimitsAppliedItem]
    """What your limits changed. `exceeded`: the provider counted more than was foreseen; `from` is your limit."""
    token_factor: float
    """Tokens that the provider counts for one that is counted here, as learned from its replies."""
    routing: Routing | None
    """What the router decided; null where nothing was routed."""
    retrieval: TurnDryRunRetrieval
    """What was looked up."""
    speculation: Speculation | None
    """The search that was begun with the routing; null where none was."""
    models: TurnDryRunModels
    """The language models."""
    stop_reason: Literal["end_turn", "max_tokens", "tool_use"] | None
    """How the reply ended: by itself, cut off at its limit of tokens, or with no rounds left for another call. Null without a whole reply."""
    usage: Usage
    """Tokens and cost, in all and by phase."""
    cost_usd: float | None
    """In US dollars, at list prices; null when a price is not known."""
    timings_ms: dict[str, float]
    """Milliseconds of each step; a step that did not happen is not there. `overlap`: how long routing and retrieval ran side by side."""
    citations: TurnDryRunCitations | None
    """What became of the markers in the reply; null without a reply."""
    dry_run: Literal[True]
    """Nothing was stored, and no reply made."""
    prediction: TurnDryRunPrediction
    """What the answer would cost."""


class TurnFailedEvent(TypedDict):
    """The turn has ended without a reply."""

    id: int
    """The number of the event, for `Last-Event-ID`; it grows."""
    event: Literal["turn.failed"]
    """What has happened."""
    data: TurnProblem
    """What the event tells, as JSON."""


class TurnFailedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    turn_number: int
    """The number of the turn."""


class TurnFailedNotice(TypedDict):
    """A turn has ended without a reply."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["turn.failed"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: TurnFailedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class TurnImportedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    turn_number: int
    """The number of the turn."""


class TurnImportedNotice(TypedDict):
    """A turn came with a conversation that was held elsewhere."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["turn.imported"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: TurnImportedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class TurnPassageExplain(TypedDict):
    dense_rank: int | None
    """Its place by meaning."""
    dense_score: float | None
    """Cosine similarity."""
    lexical_rank: int | None
    """Its place by words."""
    lexical_score: float | None
    """BM25."""
    fused_score: float
    """What the order goes by, before a reranker has its say."""


class TurnPassage(TypedDict):
    """An earlier exchange that a query found."""

    object: Literal["passage"]
    """The kind of object."""
    kind: Literal["turn"]
    """An earlier turn."""
    turn_number: int
    """The number of the turn, from 1."""
    status: Literal["completed", "failed", "cancelled"]
    """How the turn ended."""
    probe: str | None
    """The probe that it went by; null without one."""
    message: str
    """What the user said."""
    response: str
    """The reply; empty when nothing was said."""
    summary: str
    """What the turn came to."""
    score: float
    """Confidence that it bears on the query, 0 to 1: the same number means the same in every project, mode and embedding model. Never higher than that of the passage before."""
    explain: TurnPassageExplain | None
    """Where it stood in each ranking; null unless asked for."""


class TurnProblemErrorsItem(TypedDict):
    pointer: str
    """A JSON pointer into the body (`/message`), or the name of a parameter or header."""
    detail: str
    """What is wrong with it."""
    code: str
    """Stable name of what is wrong."""


class _TurnProblem(TypedDict):
    type: str
    """URL of the description of this kind of problem."""
    title: str
    """The kind of problem in words: the same whenever this code is."""
    status: int
    """The HTTP status."""
    detail: str
    """What happened, and what to do about it."""
    instance: str
    """Path of the request."""
    code: ProblemCode
    """Stable name of the kind of problem."""
    request_id: str
    """The name of the request in logs: quote it when you report the problem."""
    retryable: bool
    """Whether the same request may succeed later."""
    turn: Turn
    """The turn that failed."""


class TurnProblem(_TurnProblem, total=False):
    """Why a turn failed, and the turn."""

    retry_after_s: float
    """Seconds after which trying again makes sense; absent where nothing is known of that."""
    errors: list[TurnProblemErrorsItem]
    """The fields that are wrong, as JSON pointers into the body or names of parameters."""


class TurnStartedNoticeData(TypedDict):
    """What it is about, by its names and numbers."""

    turn_number: int
    """The number of the turn."""


class TurnStartedNotice(TypedDict):
    """A turn was begun, or is made once more."""

    object: Literal["event"]
    """The kind of object."""
    id: int
    """Its number: it grows from event to event of a project, with gaps."""
    type: Literal["turn.started"]
    """What has happened."""
    timestamp: str
    """When it was committed; RFC 3339, UTC."""
    project_id: str | None
    """The project; null: the library."""
    data: TurnStartedNoticeData
    """What it is about, by its names and numbers."""
    url: str
    """The address of what it is about."""


class TurnsImport(TypedDict):
    """What an import of a conversation made."""

    object: Literal["turns_import"]
    """The kind of object."""
    imported: int
    """Turns that were made."""
    first_turn: int
    """The number of the first."""
    last_turn: int
    """The number of the last."""


class UploadForm(TypedDict):
    """A form with one document, or several."""

    file: list[str]
    """The documents, each a part of its own with a file name."""


class UploadListDataItem(TypedDict):
    name: str | None
    """The name of the file; null where the part had none."""
    status: int
    """The status this part would have had alone."""
    result: Literal["created", "replaced", "unchanged", "skipped"] | None
    """What became of it; null when it was refused. Alone it is in the header `Upload-Result`."""
    file: StoredFile | None
    """The file; null when it was refused."""
    problem: Problem | None
    """Why it was refused; null when it was not."""


class UploadList(TypedDict):
    """A verdict for each file of a request with several."""

    object: Literal["upload_list"]
    """The kind of object."""
    data: list[UploadListDataItem]
    """The verdicts, in the order of the parts."""


class _UsageByPhaseValue(TypedDict):
    input_tokens: int
    """All tokens read, cached ones included."""
    cached_tokens: int
    """Of the input, read from the provider's cache."""
    cache_write_tokens: int
    """Of the input, written to the provider's cache."""
    output_tokens: int
    """Tokens written."""
    cost_usd: float | None
    """An estimate from list prices; null when a price is not known."""
    model: str
    """The model."""
    calls: int
    """Calls of models; of a reranker that charges by the search, what it charged for."""


class UsageByPhaseValue(_UsageByPhaseValue, total=False):
    thinking_tokens: int
    """Of the output, spent on thoughts, as far as the provider says; absent where it does not."""
    estimated: Literal[True]
    """The provider of some call does not say what it has counted: the tokens were counted here."""


class _Usage(TypedDict):
    input_tokens: int
    """All tokens read, cached ones included."""
    cached_tokens: int
    """Of the input, read from the provider's cache."""
    cache_write_tokens: int
    """Of the input, written to the provider's cache."""
    output_tokens: int
    """Tokens written."""
    cost_usd: float | None
    """An estimate from list prices; null when a price is not known."""
    by_phase: dict[str, UsageByPhaseValue]
    """The same by phase: `route`, `embed_queries`, `rerank`, `answer`, `summary`."""


class Usage(_Usage, total=False):
    """Tokens as the provider counted them, summed up and by phase."""

    thinking_tokens: int
    """Of the output, spent on thoughts, as far as the provider says; absent where it does not."""
    estimated: Literal[True]
    """The provider of some call does not say what it has counted: the tokens were counted here."""


class VersionEmbedding(TypedDict):
    """What documents and queries are embedded with."""

    provider: Literal["voyage", "openai", "local", "off"]
    """Who embeds; `local`: this process."""
    model: str
    """The embedding model."""
    dimensions: int
    """Numbers of a vector; 0 where embeddings are switched off."""


class VersionRerank(TypedDict):
    provider: Literal["voyage", "cohere", "tei", "local"]
    """Who is asked; `local`: processes of the service."""
    model: str
    """The reranker."""


class VersionModels(TypedDict):
    """The language models."""

    provider: Literal["anthropic", "openai", "offline"]
    """Who answers; `offline`: rules of this process, without a model."""
    answer: str
    """The model that answers."""
    router: str
    """The model that routes."""
    summary: str
    """The model that summarises."""


class Version(TypedDict):
    """What is running."""

    object: Literal["version"]
    """The kind of object."""
    version: str
    """The version of the service."""
    node: str
    """The version of Node.js."""
    embedding: VersionEmbedding
    """What documents and queries are embedded with."""
    rerank: VersionRerank | None
    """What puts the sections that a search finds into their order; null: the search alone."""
    models: VersionModels
    """The language models."""


class Webhook(TypedDict):
    """An address that is sent what changes in the workspace."""

    url: str
    """Where events are sent: http or https, without a user or a fragment."""
    description: str
    """For people: what it is for."""
    projects: list[str] | None
    """The ids of the projects that it is told of; null: of all, and of the library."""
    types: list[NewWebhookTypesItem] | None
    """The types of events that it is sent; null: all."""
    object: Literal["webhook"]
    """The kind of object."""
    id: str
    """The id of the webhook."""
    status: Literal["enabled", "disabled"]
    """Whether it is sent anything."""
    disabled_reason: Literal["asked", "failing", "gone"] | None
    """Why it is disabled: you asked for it, deliveries were given up one after another, or its receiver answered 410."""
    previous_secret_until: str | None
    """Until when the secret before this one signs, too; null: there is none."""
    created_at: str
    """When it was made; RFC 3339, UTC."""
    updated_at: str
    """When it was changed last; RFC 3339, UTC."""


class WebhookAttempt(TypedDict):
    """One attempt at a delivery."""

    at: str
    """When it was made; RFC 3339, UTC."""
    status_code: int | None
    """The HTTP status of the answer; null: none came."""
    ms: float
    """How long it took, in milliseconds."""
    error: str | None
    """Why it failed; null: it did not."""


class WebhookDeletion(TypedDict):
    """A webhook that was deleted, with the log of its deliveries."""

    object: Literal["deletion"]
    """The kind of object."""
    id: str
    """The id of the webhook."""
    deleted: Literal[True]
    """It is gone."""


class WebhookDelivery(TypedDict):
    """A message to a webhook, and what became of it."""

    object: Literal["webhook_delivery"]
    """The kind of object."""
    id: str
    """The id of the message: its `webhook-id`, the same in each attempt."""
    webhook_id: str
    """The webhook that it goes to."""
    event_id: int
    """The number of the event; 0 of a test."""
    event_type: str
    """The type of the event; `webhook.test` of a test."""
    project_id: str | None
    """The project of the event; null: the library, or a test."""
    status: Literal["pending", "delivered", "failed"]
    """`pending` until it was delivered, or given up after the last attempt."""
    attempts: int
    """Attempts that were begun since it was asked for."""
    next_attempt_at: str | None
    """While it is pending: when it is tried next."""
    log: list[WebhookAttempt]
    """The last attempts, 20 at most, oldest first."""
    created_at: str
    """When it was to be sent first; RFC 3339, UTC."""


class _Workspace(TypedDict):
    object: Literal["workspace"]
    """The kind of object."""
    id: str
    """The id of the workspace."""
    name: str
    """For people."""
    created_at: str
    """When it was made; RFC 3339, UTC."""
    quotas: Quotas
    """Its own, or else those of the service; null: no limit."""


class Workspace(_Workspace, total=False):
    """A tenant."""

    usage: WorkspaceUsage
    """In the answer to a request for one workspace."""


class WorkspaceDeletionRemoved(TypedDict):
    """What was removed with it."""

    projects: int
    """Projects."""
    files: int
    """Files of its projects and its library."""
    turns: int
    """Turns."""
    keys: int
    """API keys."""


class WorkspaceDeletion(TypedDict):
    """What went with the workspace, counted before it was removed."""

    object: Literal["deletion"]
    """The kind of object."""
    id: str
    """The id of the workspace."""
    deleted: Literal[True]
    """It is gone."""
    removed: WorkspaceDeletionRemoved
    """What was removed with it."""


class WorkspaceUsageProjects(TypedDict):
    """Projects; the library is none."""

    used: float
    """What there is, or was spent."""
    limit: float | None
    """Null: no limit."""


class WorkspaceUsageFiles(TypedDict):
    """Files of all projects and of the library."""

    used: float
    """What there is, or was spent."""
    limit: float | None
    """Null: no limit."""


class WorkspaceUsageBytes(TypedDict):
    """Bytes of their originals, of all versions that are kept."""

    used: float
    """What there is, or was spent."""
    limit: float | None
    """Null: no limit."""


class WorkspaceUsageKeys(TypedDict):
    """API keys, expired ones included."""

    used: float
    """What there is, or was spent."""
    limit: float | None
    """Null: no limit."""


class WorkspaceUsageConcurrentTurns(TypedDict):
    """Turns that are under way."""

    used: float
    """What there is, or was spent."""
    limit: float | None
    """Null: no limit."""


class WorkspaceUsageConcurrentResearch(TypedDict):
    """Research runs that are under way."""

    used: float
    """What there is, or was spent."""
    limit: float | None
    """Null: no limit."""


class WorkspaceUsageTokensPerMonth(TypedDict):
    """Tokens read and written by models this month."""

    used: float
    """What there is, or was spent."""
    limit: float | None
    """Null: no limit."""


class WorkspaceUsageUsdPerMonth(TypedDict):
    """Calls of models whose price is not known are not in it."""

    used: float
    """What there is, or was spent."""
    limit: float | None
    """Null: no limit."""


class WorkspaceUsage(TypedDict):
    """What the workspace holds and has under way, and has spent this month. What was deleted counts as spent."""

    object: Literal["workspace_usage"]
    """The kind of object."""
    workspace: str
    """The id of the workspace."""
    projects: WorkspaceUsageProjects
    """Projects; the library is none."""
    files: WorkspaceUsageFiles
    """Files of all projects and of the library."""
    bytes: WorkspaceUsageBytes
    """Bytes of their originals, of all versions that are kept."""
    keys: WorkspaceUsageKeys
    """API keys, expired ones included."""
    concurrent_turns: WorkspaceUsageConcurrentTurns
    """Turns that are under way."""
    concurrent_research: WorkspaceUsageConcurrentResearch
    """Research runs that are under way."""
    tokens_per_month: WorkspaceUsageTokensPerMonth
    """Tokens read and written by models this month."""
    usd_per_month: WorkspaceUsageUsdPerMonth
    """Calls of models whose price is not known are not in it."""
    resets_at: str
    """When the next month begins."""


class CreateKeyBodyRateLimits(TypedDict, total=False):
    """Limits of its own; 0: none, null: as the service is set. More than that takes the scope `service`."""

    requests: int | None
    """Requests a minute, whatever they ask for."""
    expensive: int | None
    """Of them, those that call a model or convert a file: turns, research, uploads, imports, previews, searches, tools."""


class _CreateKeyBody(TypedDict):
    name: str
    """For people: who or what has it."""
    scopes: list[Literal["read", "write", "admin", "service"]]
    """Each holds those before it: `read`, `write`, `admin` (keys and the audit log of the workspace), `service` (all workspaces)."""


class CreateKeyBody(_CreateKeyBody, total=False):
    expires_at: str
    """From when it is not valid any more; left out: never."""
    workspace: str
    """The id of a workspace, for a key with the scope `service`; your own without."""
    rate_limits: CreateKeyBodyRateLimits
    """Limits of its own; 0: none, null: as the service is set. More than that takes the scope `service`."""


class CreateWorkspaceBody(TypedDict):
    id: str
    """1 to 64 of a-z, 0-9 and -."""
    name: str
    """For people: 1 to 200 characters."""


class ChangeWorkspaceBodyQuotas(TypedDict, total=False):
    """What it may hold and spend."""

    projects: int | None | Literal["default"]
    """Projects; the library is none."""
    files: int | None | Literal["default"]
    """Files of all projects and of the library."""
    bytes: int | None | Literal["default"]
    """Bytes of their originals, of all versions that are kept."""
    keys: int | None | Literal["default"]
    """API keys, expired ones included."""
    tokens_per_month: int | None | Literal["default"]
    """Tokens read and written by models in a calendar month, in UTC."""
    usd_per_month: float | None | Literal["default"]
    """The same in US dollars, at list prices."""


class ChangeWorkspaceBody(TypedDict, total=False):
    name: str
    """For people: 1 to 200 characters."""
    quotas: ChangeWorkspaceBodyQuotas
    """What it may hold and spend."""


class _CreateWebhookBody(TypedDict):
    url: str
    """Where events are sent: http or https, without a user or a fragment."""


class CreateWebhookBody(_CreateWebhookBody, total=False):
    description: str
    """For people: what it is for."""
    projects: list[str] | None
    """The ids of the projects that it is told of; null: of all, and of the library."""
    types: list[NewWebhookTypesItem] | None
    """The types of events that it is sent; null: all."""


class UpdateWebhookBody(TypedDict, total=False):
    url: str
    """Where events are sent: http or https, without a user or a fragment."""
    description: str
    """For people: what it is for."""
    projects: list[str] | None
    """The ids of the projects that it is told of; null: of all, and of the library."""
    types: list[NewWebhookTypesItem] | None
    """The types of events that it is sent; null: all."""
    status: Literal["enabled", "disabled"]
    """Whether it is sent anything."""


class _CreateProjectBody(TypedDict):
    name: str
    """For people: 1 to 200 characters."""


class CreateProjectBody(_CreateProjectBody, total=False):
    id: str
    """A slug of your choice; made from the name without."""


class RenameProjectBody(TypedDict, total=False):
    name: str
    """For people: 1 to 200 characters."""
    contextual: bool | None
    """Whether contexts are written; null: as the service is set."""


class ListStalenessAnswer(TypedDict):
    """The whole list."""

    object: Literal["list"]
    """The kind of object."""
    data: list[StaleItem]
    """The entries."""
    has_more: Literal[False]
    """This is all."""


class ListArtifactsAnswer(TypedDict):
    """The whole list."""

    object: Literal["list"]
    """The kind of object."""
    data: list[Artifact]
    """The entries."""
    has_more: Literal[False]
    """This is all."""


class VerifyCitationsAnswer(TypedDict):
    """The whole list."""

    object: Literal["list"]
    """The kind of object."""
    data: list[CitationCheck]
    """The entries."""
    has_more: Literal[False]
    """This is all."""


class _VerifyCitationsBodyCitationsItem(TypedDict):
    filename: str
    """The name of the file."""
    char_start: int
    """Where it began in the file's Markdown: UTF-16 code units, from 0."""
    quote: str
    """The words to look for."""


class VerifyCitationsBodyCitationsItem(_VerifyCitationsBodyCitationsItem, total=False):
    source: Literal["project", "library"]
    """Where the file is: in the project, or in the library."""
    version: int
    """The version that it was taken from, from 1."""
    char_end: int
    """Where it ended, exclusive."""
    claim: str
    """What was said of them: whether they support it is checked, too."""
    header_path: list[str]
    """The headings that it stood under, outermost first."""


class VerifyCitationsBody(TypedDict):
    citations: list[VerifyCitationsBodyCitationsItem]
    """What to check."""


class RenameFileBody(TypedDict):
    name: str
    """The new name, by the rules of an upload."""


class DeleteFilesBody(TypedDict):
    names: list[str]
    """The names of the files."""


class ApplyContextsBody(TypedDict, total=False):
    names: list[str]
    """The names of the files; without, all."""
    dry_run: bool
    """`true`: only say what it takes."""


class FindSectionsBodyFilters(TypedDict, total=False):
    """Where to look."""

    header_path: list[str]
    """Headings that the section stands under, outermost first."""


class _FindSectionsBody(TypedDict):
    query: str
    """What is looked for, in words of any language."""


class FindSectionsBody(_FindSectionsBody, total=False):
    top_k: int
    """At most so many sections."""
    min_confidence: float
    """The least confidence of a section, 0 to 1."""
    filters: FindSectionsBodyFilters
    """Where to look."""


class VerifyLibraryCitationsAnswer(TypedDict):
    """The whole list."""

    object: Literal["list"]
    """The kind of object."""
    data: list[CitationCheck]
    """The entries."""
    has_more: Literal[False]
    """This is all."""


class _VerifyLibraryCitationsBodyCitationsItem(TypedDict):
    filename: str
    """The name of the file."""
    char_start: int
    """Where it began in the file's Markdown: UTF-16 code units, from 0."""
    quote: str
    """The words to look for."""


class VerifyLibraryCitationsBodyCitationsItem(_VerifyLibraryCitationsBodyCitationsItem, total=False):
    source: Literal["project", "library"]
    """Where the file is: in the project, or in the library."""
    version: int
    """The version that it was taken from, from 1."""
    char_end: int
    """Where it ended, exclusive."""
    claim: str
    """What was said of them: whether they support it is checked, too."""
    header_path: list[str]
    """The headings that it stood under, outermost first."""


class VerifyLibraryCitationsBody(TypedDict):
    citations: list[VerifyLibraryCitationsBodyCitationsItem]
    """What to check."""


class RenameLibraryFileBody(TypedDict):
    name: str
    """The new name, by the rules of an upload."""


class DeleteLibraryFilesBody(TypedDict):
    names: list[str]
    """The names of the files."""


class ApplyLibraryContextsBody(TypedDict, total=False):
    names: list[str]
    """The names of the files; without, all."""
    dry_run: bool
    """`true`: only say what it takes."""


class FindLibrarySectionsBodyFilters(TypedDict, total=False):
    """Where to look."""

    header_path: list[str]
    """Headings that the section stands under, outermost first."""


class _FindLibrarySectionsBody(TypedDict):
    query: str
    """What is looked for, in words of any language."""


class FindLibrarySectionsBody(_FindLibrarySectionsBody, total=False):
    top_k: int
    """At most so many sections."""
    min_confidence: float
    """The least confidence of a section, 0 to 1."""
    filters: FindLibrarySectionsBodyFilters
    """Where to look."""


class SearchBodyFilters(TypedDict, total=False):
    """Where to look."""

    filenames: list[str]
    """Only these files; all, where it is empty."""
    header_path: list[str]
    """Headings that the path starts with."""
    media_types: list[str]
    """Only files of these media types."""


class _SearchBody(TypedDict):
    query: str
    """What is looked for, in words of any language."""


class SearchBody(_SearchBody, total=False):
    kinds: list[Literal["documents", "turns"]]
    """Whether documents are searched, earlier turns, or both."""
    limit: int
    """At most so many passages."""
    min_score: float
    """The least confidence of a passage; 0 shows the best there is, however little it bears on the query. Where you say nothing a floor holds that keeps 97 % of the answers of a labelled set."""
    mode: Literal["hybrid", "semantic", "lexical"]
    """By meaning and words, by meaning, or by words."""
    rerank: bool
    """Let a reranker, where the service has one, put the sections into its order."""
    sources: list[Literal["project", "library"]]
    """Where documents are looked for: in the project, in the library that all projects share, or in both. From both, the best come back in one ranking, and half of the places at least are for what bears on the query of the project."""
    filters: SearchBodyFilters
    """Where to look."""
    explain: bool
    """Tell the place of each hit in each ranking."""


class SearchLibraryBodyFilters(TypedDict, total=False):
    """Where to look."""

    filenames: list[str]
    """Only these files; all, where it is empty."""
    header_path: list[str]
    """Headings that the path starts with."""
    media_types: list[str]
    """Only files of these media types."""


class _SearchLibraryBody(TypedDict):
    query: str
    """What is looked for, in words of any language."""


class SearchLibraryBody(_SearchLibraryBody, total=False):
    limit: int
    """At most so many passages."""
    min_score: float
    """The least confidence of a passage; 0 shows the best there is, however little it bears on the query. Where you say nothing a floor holds that keeps 97 % of the answers of a labelled set."""
    mode: Literal["hybrid", "semantic", "lexical"]
    """By meaning and words, by meaning, or by words."""
    rerank: bool
    """Let a reranker, where the service has one, put the sections into its order."""
    filters: SearchLibraryBodyFilters
    """Where to look."""
    explain: bool
    """Tell the place of each hit in each ranking."""


class StartResearchBodyLimits(TypedDict, total=False):
    """What this run may use. Less than the least run needs is refused."""

    max_input_tokens: int
    """Tokens of any one prompt of the large model."""
    max_cost_usd: float
    """Of all steps and of summaries, at list prices."""
    max_steps: int
    """Calls of the large model, the last of which answers; never more than are configured."""


class _StartResearchBody(TypedDict):
    question: str
    """What is to be found out."""


class StartResearchBody(_StartResearchBody, total=False):
    sources: list[Literal["project", "library"]]
    """Where it may look: in the project's files, in the library, or in both."""
    files: list[str]
    """The files that the question means: the choice among the `candidates` of an earlier run."""
    limits: StartResearchBodyLimits
    """What this run may use. Less than the least run needs is refused."""


class ListToolsAnswer(TypedDict):
    """The whole list."""

    object: Literal["list"]
    """The kind of object."""
    data: list[Tool]
    """The entries."""
    has_more: Literal[False]
    """This is all."""


class CreateTurnBodyLimits(TypedDict, total=False):
    """What this turn may use. What does not fit is cut in this order: the budget of the prompt (documents and earlier turns first), rounds, the length of the reply, the summary by a model. Less than the least turn needs is refused; `limits_applied` tells what was cut."""

    max_input_tokens: int
    """Tokens of any one prompt of the large model."""
    max_cost_usd: float
    """Of router, answer and summary together, at list prices."""
    max_tool_rounds: int
    """Calls of the large model; in the last one it cannot change the state."""


class CreateTurnBody(TypedDict, total=False):
    message: str
    """What the user says, up to 32000 characters."""
    priming: bool
    """Open the project without a message: the copilot introduces itself from the state and the files."""
    retrieval: Literal["auto", "always", "never"]
    """Whether documents and earlier turns are looked up: as the router says, or as you say."""
    min_score: float
    """The least confidence of what is looked up for the message; 0 sends the best there is, however little it bears on the message. The floor of search, where you say nothing."""
    sources: list[Literal["project", "library"]]
    """Where documents are looked for: in the project, in the library that all projects share, or in both. From both, the best come back in one ranking, and half of the places at least are for what bears on the query of the project. The project alone, where you say nothing. What is learnt from the library is not marked as stale when its file changes."""
    limits: CreateTurnBodyLimits
    """What this turn may use. What does not fit is cut in this order: the budget of the prompt (documents and earlier turns first), rounds, the length of the reply, the summary by a model. Less than the least turn needs is refused; `limits_applied` tells what was cut."""
    research: bool
    """Have the research agent answer: in several steps, with read-only tools, without routing and without changing the state. The turn is remembered like any other."""
    dry_run: bool
    """Do everything up to the call of the large model, and stop: nothing is stored. Answers with the receipt."""


FileEvent: TypeAlias = FileProgressEvent | FileCompletedEvent | FileFailedEvent | FileDeletedEvent
"""Server-sent events: each has `id`, `event` and `data` (JSON)."""


KnowledgeModesItemProbesItemFieldsItem: TypeAlias = Literal["problem_statement", "target_audience", "temporal_trigger", "urgency_assessment", "stakeholders", "decision_maker", "status_quo_beneficiary", "root_cause", "contributing_factors", "success_metrics", "anti_metrics", "minimum_viable_outcome", "constraints", "non_negotiables", "evidence_base", "proposed_solution", "problem_solution_fit", "implementation_risks", "organizational_readiness", "competitive_context", "sustainability", "value_risk", "usability_risk", "feasibility_risk", "viability_risk", "recommendation"]


NewWebhookTypesItem: TypeAlias = Literal["project.created", "project.renamed", "project.deleted", "state.changed", "file.created", "file.version_created", "file.renamed", "file.queued", "file.started", "file.outlined", "file.searchable", "file.summarized", "file.completed", "file.failed", "file.deleted", "turn.started", "turn.completed", "turn.failed", "turn.cancelled", "turn.imported", "run.started", "run.completed", "run.needs_clarification", "run.step_limit_reached", "run.failed", "run.cancelled"]


ProblemCode: TypeAlias = Literal["authentication_required", "key_not_valid", "scope_required", "too_many_failed_keys", "identity_provider_unavailable", "rate_limited", "concurrency_limit", "quota_exceeded", "invalid_request", "invalid_json", "unsupported_request_type", "no_file_part", "empty_file", "invalid_file_name", "unsupported_media_type", "file_too_large", "body_too_large", "too_many_files", "file_exists", "limits_too_low", "price_unknown", "message_too_large", "state_too_large", "unknown_field_value", "dependency_cycle", "invalid_cursor", "host_not_allowed", "origin_not_allowed", "expectation_failed", "headers_too_large", "request_timeout", "method_not_allowed", "route_not_found", "project_not_found", "key_not_found", "workspace_not_found", "file_not_found", "turn_not_found", "pointer_not_found", "tool_not_found", "run_not_found", "knowledge_not_found", "webhook_not_found", "delivery_not_found", "webhook_disabled", "content_not_available", "workspace_exists", "workspace_not_deletable", "last_key", "project_exists", "turn_in_progress", "file_not_retryable", "file_not_cancellable", "archive_invalid", "archive_too_new", "archive_too_large", "range_not_satisfiable", "turn_not_retryable", "run_not_retryable", "precondition_failed", "model_rejected", "model_unavailable", "provider_misconfigured", "embedding_unavailable", "contexts_unavailable", "embeddings_off", "interrupted", "invalid_idempotency_key", "idempotency_key_reused", "idempotency_in_progress", "too_many_streams", "overloaded", "service_unavailable", "database_unavailable", "storage_full", "encryption_key_missing", "internal_error"]


ProjectEvent: TypeAlias = ProjectCreatedNotice | ProjectRenamedNotice | ProjectDeletedNotice | StateChangedNotice | FileCreatedNotice | FileVersionCreatedNotice | FileRenamedNotice | FileQueuedNotice | FileStartedNotice | FileOutlinedNotice | FileSearchableNotice | FileSummarizedNotice | FileCompletedNotice | FileFailedNotice | FileDeletedNotice | TurnStartedNotice | TurnCompletedNotice | TurnFailedNotice | TurnCancelledNotice | TurnImportedNotice | RunStartedNotice | RunCompletedNotice | RunNeedsClarificationNotice | RunStepLimitReachedNotice | RunFailedNotice | RunCancelledNotice
"""Something that has changed in a project or in the library: what it is about and where to read it, nothing of its content. The same object is a line of the feed, the `data` of a server-sent event, and the body of a webhook."""


ResearchEvent: TypeAlias = RunCreatedEvent | ReasoningDeltaEvent | ToolCalledEvent | ToolReturnedEvent | AnswerDeltaEvent | AnswerResetEvent | RunCompletedEvent | RunNeedsClarificationEvent | RunStepLimitReachedEvent | RunFailedEvent | RunCancelledEvent
"""Server-sent events: each has `id` (its number), `event` and `data` (JSON). `reasoning.delta` is what the agent thinks: thoughts that a model shows, and what it says before it calls a tool; it is never part of the answer. `tool.called` and `tool.returned` are its actions. The texts of `answer.delta` since the last `answer.reset`, joined, are the answer as the model wrote it. Exactly one of `run.completed`, `run.needs_clarification`, `run.step_limit_reached`, `run.failed`, `run.cancelled` comes last."""


StreamedProjectEvent: TypeAlias = ProjectCreatedNotice | ProjectRenamedNotice | ProjectDeletedNotice | StateChangedNotice | FileCreatedNotice | FileVersionCreatedNotice | FileRenamedNotice | FileQueuedNotice | FileStartedNotice | FileOutlinedNotice | FileSearchableNotice | FileSummarizedNotice | FileCompletedNotice | FileFailedNotice | FileDeletedNotice | TurnStartedNotice | TurnCompletedNotice | TurnFailedNotice | TurnCancelledNotice | TurnImportedNotice | RunStartedNotice | RunCompletedNotice | RunNeedsClarificationNotice | RunStepLimitReachedNotice | RunFailedNotice | RunCancelledNotice | FeedTrimmedNotice
"""What a stream of the feed tells."""


TurnEvent: TypeAlias = TurnCreatedEvent | RouteDecidedEvent | ContextAssembledEvent | ReasoningDeltaEvent | ToolCalledEvent | ToolReturnedEvent | AnswerDeltaEvent | AnswerResetEvent | TurnCompletedEvent | TurnFailedEvent | TurnCancelledEvent
"""Server-sent events: each has `id` (its number), `event` and `data` (JSON). They are created, routed, assembled, thoughts, text and tool calls as they come, and exactly one of `turn.completed`, `turn.failed`, `turn.cancelled` at the end. The texts of `answer.delta` since the last `answer.reset`, joined, are the reply as the model wrote it: a text in front of tool calls is superseded by the one after them, and `answer.reset` comes in front of that one, so that what was shown can be taken back; `turn.completed` has the final one, without markers that resolve to nothing. The texts of `reasoning.delta` are what a model that thinks shows of its thoughts, in its own summary: they are no part of the reply, and many replies have none."""
