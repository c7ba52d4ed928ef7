"""The public names of `cardwright.discovery`, and where each is defined."""

from cardwright.discovery.calling import HasCard as HasCard
from cardwright.discovery.calling import Message as Message
from cardwright.discovery.calling import Part as Part
from cardwright.discovery.calling import Reply as Reply
from cardwright.discovery.calling import call_agent as call_agent
from cardwright.discovery.contracts import check_input as check_input
from cardwright.discovery.contracts import check_output as check_output
from cardwright.discovery.contracts import input_violations as input_violations
from cardwright.discovery.contracts import output_violations as output_violations
from cardwright.discovery.events import Event as Event
from cardwright.discovery.fetching import FetchedCard as FetchedCard
from cardwright.discovery.fetching import Provenance as Provenance
from cardwright.discovery.fetching import fetch_card as fetch_card
from cardwright.discovery.peer import Peer as Peer
from cardwright.discovery.protocol_support import ProtocolSupport as ProtocolSupport
from cardwright.discovery.registry import AgentRegistry as AgentRegistry
from cardwright.discovery.schemas import Schemas as Schemas
from cardwright.discovery.schemas import fetch_schemas as fetch_schemas
from cardwright.discovery.schemas import wanted_schemas as wanted_schemas
from cardwright.discovery.selection import RejectedInterface as RejectedInterface
from cardwright.discovery.selection import Selection as Selection
from cardwright.discovery.selection import select_interface as select_interface
from cardwright.view.interfaces import Interface as Interface

__all__: list[str]
