from typing import Any


class CreatedSurfaces:
    def __init__(self) -> None:
        self._at: dict[str, str] = {}

    def pruned(self, messages: Any, place: str) -> list[Any]:
        kept = []
        for m in messages:
            c = m.get("createSurface")
            if c:
                if c["surfaceId"] in self._at:
                    continue
                self._at[c["surfaceId"]] = place
            if "deleteSurface" in m:
                self._at.pop(m["deleteSurface"]["surfaceId"], None)
            kept.append(m)
        return kept
