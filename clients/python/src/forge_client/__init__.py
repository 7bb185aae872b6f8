"""A client of Forge, the document-grounded project copilot."""

from . import types
from ._async import AsyncForge
from ._body import Content, OnProgress, UploadFile
from ._problem import ForgeError
from ._sync import Forge

__all__ = ["AsyncForge", "Content", "Forge", "ForgeError", "OnProgress", "UploadFile", "types"]
