"""What a user would build instead: LangChain's splitter, a sentence encoder, Chroma.

    python retrieval.py ASKED.json FOUND.json

Reads one JSON object: `model` (a folder with model.onnx, tokenizer.json and config.json), `chunk`
and `overlap` in characters, `top`, `documents` (name, text) and `questions`. Writes, for each question, the chunks that
Chroma finds nearest, as name, start and end in characters.
"""

import json
import sys
from pathlib import Path

import chromadb
import numpy
import onnxruntime
from langchain_text_splitters import RecursiveCharacterTextSplitter
from tokenizers import Tokenizer

BATCH = 16


class Encoder:
    def __init__(self, folder: Path) -> None:
        self.settings = json.loads((folder / "config.json").read_text())
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(self.settings["max_tokens"])
        self.tokenizer.enable_padding()
        self.session = onnxruntime.InferenceSession(str(folder / "model.onnx"))
        self.inputs = [each.name for each in self.session.get_inputs()]

    def encode(self, texts: list[str]) -> numpy.ndarray:
        encoded = self.tokenizer.encode_batch(texts)
        known = {
            "input_ids": numpy.array([each.ids for each in encoded], dtype=numpy.int64),
            "attention_mask": numpy.array([each.attention_mask for each in encoded], dtype=numpy.int64),
            "token_type_ids": numpy.array([each.type_ids for each in encoded], dtype=numpy.int64),
        }
        states = self.session.run(None, {name: known[name] for name in self.inputs})[0]
        if self.settings["pooling"] == "cls":
            vectors = states[:, 0]
        else:
            mask = known["attention_mask"][:, :, None]
            vectors = (states * mask).sum(1) / mask.sum(1)
        return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)

    def encode_all(self, texts: list[str], prefix: str) -> list[list[float]]:
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            vectors += self.encode([prefix + text for text in texts[start : start + BATCH]]).tolist()
        return vectors


def main() -> None:
    asked = json.loads(Path(sys.argv[1]).read_text())
    encoder = Encoder(Path(asked["model"]))
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=asked["chunk"], chunk_overlap=asked["overlap"], add_start_index=True
    )
    documents = asked["documents"]
    chunks = splitter.create_documents(
        [document["text"] for document in documents], [{"name": document["name"]} for document in documents]
    )
    places = [
        {
            "name": chunk.metadata["name"],
            "start": chunk.metadata["start_index"],
            "end": chunk.metadata["start_index"] + len(chunk.page_content),
        }
        for chunk in chunks
    ]
    collection = chromadb.EphemeralClient().create_collection("peer", metadata={"hnsw:space": "cosine"})
    vectors = encoder.encode_all([chunk.page_content for chunk in chunks], encoder.settings["document_prefix"])
    ids = [str(index) for index in range(len(chunks))]
    for start in range(0, len(ids), 1000):
        part = slice(start, start + 1000)
        collection.add(ids=ids[part], embeddings=vectors[part])
    questions = encoder.encode_all(asked["questions"], encoder.settings["query_prefix"])
    found = collection.query(query_embeddings=questions, n_results=min(asked["top"], len(ids)))
    rankings = [[places[int(index)] for index in row] for row in found["ids"]]
    Path(sys.argv[2]).write_text(json.dumps(rankings))


main()
