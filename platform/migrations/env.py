"""Run the migrations on the connection that `gangland_web.models.database` passes to Alembic, which loads this file."""

from alembic import context

from gangland_web.models import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=connection.dialect.name == "sqlite")
context.run_migrations()
