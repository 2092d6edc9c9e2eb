"""A real OpenID Connect provider, Canaille, on this machine: `python -m tests.kits.oidc_provider SITE`.

It prints its address and a client's id and secret as JSON, and serves until its standard input ends.
"""

import json
import logging
import sys
import threading
from typing import Any

from werkzeug.serving import make_server

PEOPLE = {"ann": ("ann@school.example", "staff"), "bob": ("bob@elsewhere.example", "guests")}
PASSWORD = "correct horse battery"


def main() -> None:
    from canaille import create_app
    from canaille.app import models
    from canaille.backends import Backend
    from joserfc.jwk import RSAKey

    site = sys.argv[1]
    server = make_server("127.0.0.1", 0, lambda *_: [], threaded=True)
    address = f"http://127.0.0.1:{server.server_port}"
    key = RSAKey.generate_key(2048, parameters={"kid": "one"}).as_dict(private=True)
    quiet = {"version": 1, "disable_existing_loggers": True}
    app: Any = create_app(
        {
            "SECRET_KEY": "of the provider for tests",
            "SERVER_NAME": f"127.0.0.1:{server.server_port}",
            "PREFERRED_URL_SCHEME": "http",
            "CANAILLE": {"DATABASE": "memory", "LOGGING": quiet},
            "CANAILLE_OIDC": {"ACTIVE_JWKS": [key], "TRUSTED_DOMAINS": ["localhost"]},
        }
    )
    logging.disable()
    with app.app_context():
        backend: Any = Backend.instance
        tables: Any = models
        for name, (email, group) in PEOPLE.items():
            user = tables.User(user_name=name, formatted_name=name, family_name=name, emails=[email], password=PASSWORD)
            backend.save(user)
            backend.save(tables.Group(display_name=group, members=[user]))
        client = tables.Client(
            client_id="gangland",
            client_secret="the client's secret",
            client_name="Gangland",
            redirect_uris=[f"{site}/sign-in/oidc/callback"],
            grant_types=["authorization_code"],
            response_types=["code"],
            scope=["openid", "profile", "email", "groups"],
            token_endpoint_auth_method="client_secret_basic",
            client_uri=site,
        )
        client.audience = [client]
        backend.save(client)
    server.app = app
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write(json.dumps({"issuer": address, "id": "gangland", "secret": "the client's secret"}) + "\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
