"""The database: sessions, columns, migrations' helpers, and rules about rows that all services share."""
