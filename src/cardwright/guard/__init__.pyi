"""The public names of `cardwright.guard`, and where each is defined."""

from cardwright.guard.client import GuardedClient as GuardedClient
from cardwright.guard.limits import MAX_BYTES as MAX_BYTES
from cardwright.guard.limits import MAX_REDIRECTS as MAX_REDIRECTS
from cardwright.guard.limits import OWN_FIELDS as OWN_FIELDS
from cardwright.guard.responses import Headers as Headers
from cardwright.guard.responses import Response as Response
from cardwright.guard.responses import Timeouts as Timeouts
from cardwright.guard.rules import PRIVATE as PRIVATE
from cardwright.guard.rules import Guard as Guard
from cardwright.guard.rules import allowed as allowed
from cardwright.guard.streamed import Streamed as Streamed
from cardwright.guard.target import Target as Target
from cardwright.guard.target import target_of as target_of

__all__: list[str]
