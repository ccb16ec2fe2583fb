# Reads an array of OCSF events and prints the violations that py-ocsf-models finds: {"events", "problems", "unknown"}.
# `unknown` are attributes that the models have no field for, without list indexes.
import json
import sys
from typing import Optional

from py_ocsf_models.events.findings.detection_finding import DetectionFinding
from py_ocsf_models.events.findings.finding import Finding
from py_ocsf_models.objects.resource_details import ResourceDetails
from py_ocsf_models.objects.vulnerability_details import VulnerabilityDetails
from pydantic import BaseModel


class VulnerabilityFinding(Finding):
    """The models have no class 2002: what every finding has, and what OCSF asks of it besides."""

    category_uid: int
    category_name: str
    class_uid: int
    class_name: str
    count: Optional[int] = None
    resources: list[ResourceDetails]
    time: int
    time_dt: Optional[str] = None
    type_name: str
    type_uid: int
    vulnerabilities: list[VulnerabilityDetails]


def unknown_in(value, model, path=''):
    if isinstance(value, list) and isinstance(model, list):
        for one, other in zip(value, model):
            yield from unknown_in(one, other, path + '[]')
    elif isinstance(value, dict) and isinstance(model, BaseModel):
        for name, member in value.items():
            where = f'{path}.{name}' if path else name
            if name in type(model).model_fields:
                yield from unknown_in(member, getattr(model, name), where)
            else:
                yield where


classes = {2002: VulnerabilityFinding, 2004: DetectionFinding}
events = json.load(sys.stdin)
problems = []
unknown = set()
for index, event in enumerate(events):
    try:
        # `strict`: a number as text is not a number. JSON has no dates or enumerations, so this parses JSON.
        model = classes[event['class_uid']].model_validate_json(json.dumps(event), strict=True)
        unknown.update(unknown_in(event, model))
        # A constraint of OCSF that the models only document.
        for vulnerability in event.get('vulnerabilities', []):
            if sum(name in vulnerability for name in ('advisory', 'cve', 'cwe')) != 1:
                problems.append(f'{index}: a vulnerability must have just one of advisory, cve and cwe')
    except (ValueError, KeyError) as error:
        problems.append(f'{index}: {error}'[:500])
json.dump({'events': len(events), 'problems': problems[:20], 'unknown': sorted(unknown)}, sys.stdout)
