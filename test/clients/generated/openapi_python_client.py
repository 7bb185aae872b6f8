"""What is done with each generated client, with that of openapi-python-client."""

import json
import sys
from io import BytesIO

from client import AuthenticatedClient
from client.api.files import list_files, upload_files
from client.api.projects import create_project, get_project
from client.api.search import search
from client.api.turns import create_turn
from client.models import CreateProjectBody, CreateTurnBody, SearchBody, UploadForm
from client.types import File

url, key, project = sys.argv[1:]
forge = AuthenticatedClient(base_url=url, token=key)
notes = BytesIO(b"# Notes\n\nDana Reyes signs the budget.")

made = create_project.sync(client=forge, body=CreateProjectBody(id=project, name="Generated"))
uploaded = upload_files.sync(
    project,
    client=forge,
    prefer="wait=60",
    body=UploadForm(file=[File(payload=notes, file_name="notes.md", mime_type="text/markdown")]),
)
files = list_files.sync(project, client=forge)
found = search.sync(project, client=forge, body=SearchBody(query="Who signs the budget?"))
turn = create_turn.sync(project, client=forge, body=CreateTurnBody(message="Who signs the budget?"))
refused = get_project.sync("none", client=forge)

done = {
    "project": made.id,
    "uploaded": uploaded.status,
    "listed": [file.name for file in files.data],
    "found": [passage.filename for passage in found.data],
    "turn": turn.status,
    "replied": "Dana Reyes" in turn.response,
    "refused": refused.code,
}
print(json.dumps(done))
