"""Scripts of alembic, one a change of the tables; none is ever changed after a release."""
