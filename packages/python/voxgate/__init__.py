"""Client of Voxgate, the open voice-biometrics server. Needs nothing but Python's standard library."""

from .client import EventFeed, Session, Voxgate
from .errors import VoxgateError

__all__ = ["EventFeed", "Session", "Voxgate", "VoxgateError"]
