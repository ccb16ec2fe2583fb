"""The events of an organization."""

from __future__ import annotations

from typing import Any

from . import types

OrganizationEventData = (
    types.ScanEvent
    | types.ReportEvent
    | types.BulkOperation
    | types.DecisionEvent
    | types.FindingsEvent
    | types.ResetEvent
    | dict[str, Any]
)
"""The data of an event: the type for its name, or a dict if the name is unknown to this version of the library."""

_types: dict[str, Any] = {
    "scan": types.ScanEvent,
    "report": types.ReportEvent,
    "bulk_operation": types.BulkOperation,
    "decision": types.DecisionEvent,
    "findings": types.FindingsEvent,
    "reset": types.ResetEvent,
}


def event_type(name: str) -> Any:
    """Returns the type of the data of an event."""
    return _types.get(name, dict[str, Any])
