"""Game records: reading and writing their files, replaying and verifying them, showing them as text and as a page."""

from shogun_env.records.record import RecordError, parse_record, read_record, record_name, write_record
from shogun_env.records.replay import replay, verify

__all__ = ["RecordError", "parse_record", "read_record", "record_name", "replay", "verify", "write_record"]
