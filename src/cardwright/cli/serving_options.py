"""The options of `cardwright serve`, in the panels of its help."""

from __future__ import annotations

from typing import Annotated

from cardwright.cli.option_groups import described

Paths = Annotated[list[str], described("serve PATH")]
Host = Annotated[str, described("serve --host")]
Port = Annotated[int, described("serve --port")]
AllowHost = Annotated[list[str] | None, described("serve --allow-host")]
BaseURL = Annotated[str | None, described("serve --base-url")]
Workers = Annotated[int, described("serve --workers")]
LogRequests = Annotated[bool, described("serve --log-requests")]
Watch = Annotated[bool, described("serve --watch")]
Playground = Annotated[bool, described("serve --playground")]
Robots = Annotated[bool, described("serve --robots")]
Default = Annotated[str | None, described("serve --default")]
MaxAge = Annotated[int | None, described("serve --max-age")]
Root = Annotated[str | None, described("serve --root")]
Key = Annotated[str | None, described("serve --key")]
Kid = Annotated[str | None, described("serve --kid")]
Alg = Annotated[str | None, described("serve --alg")]
Jku = Annotated[str | None, described("serve --jku")]
State = Annotated[str | None, described("serve --state")]
Views = Annotated[str | None, described("serve --views")]
ApiKeys = Annotated[str | None, described("serve --api-keys")]
Sensitive = Annotated[str | None, described("serve --publish-sensitive")]
