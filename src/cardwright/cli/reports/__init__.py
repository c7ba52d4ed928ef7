"""The reports of commands: functions from results to text, rich renderables or JSON values."""
