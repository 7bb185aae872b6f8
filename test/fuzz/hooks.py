"""What Schemathesis does not know by itself about the contract."""
import json

import schemathesis


@schemathesis.serializer("application/jsonl", "application/x-ndjson")
def lines_of_json(_context, value):
    """A line for each value; what is text or bytes already goes as it is."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    values = value if isinstance(value, list) else [value]
    return "\n".join(json.dumps(each) for each in values).encode()
