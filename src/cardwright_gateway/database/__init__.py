"""The gateway's database: tables, audit log, added agents and files."""
