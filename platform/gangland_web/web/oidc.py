"""The client of an OpenID Connect provider: discovery, the code flow with PKCE, state and nonce, and claims."""

from typing import Any, Final

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.flask_client import OAuth
from flask import Flask
from joserfc.errors import JoseError
from requests import RequestException
from werkzeug.wrappers import Response

from gangland_web.services.oidc import PROOF_S, Subject
from gangland_web.settings import Oidc

TIMEOUT_S: Final = 10.0
# Only asymmetric signatures: tokens without a signature, or signed with a shared secret, are refused.
ALGORITHMS: Final = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split()
MAX_CHARS: Final = 255


class SignInRefused(Exception):
    """The provider refused, its response could not be verified, or the user may not sign in here."""


class Provider:
    """The client of the OpenID provider in the settings."""

    def __init__(self, app: Flask, settings: Oidc) -> None:
        """Register the client with the app; it contacts the provider only when a user signs in."""
        self.settings = settings
        self._client: Any = OAuth(app).register(
            "gangland",
            client_id=settings.client_id,
            client_secret=settings.client_secret,
            server_metadata_url=f"{settings.issuer}/.well-known/openid-configuration",
            client_kwargs={"scope": settings.scope, "code_challenge_method": "S256", "default_timeout": TIMEOUT_S},
        )

    def authorize_redirect(self, callback_path: str, *, force_login: bool = False) -> Response:
        """Return the redirect to the provider, which returns to `callback_path`; `force_login` forces a new sign-in.

        Raises SignInRefused: the provider does not respond, or its issuer is not the configured one.
        """
        extra = {"prompt": "login", "max_age": str(PROOF_S)} if force_login else {}
        try:
            self._metadata()
            response: Response = self._client.authorize_redirect(self.settings.site + callback_path, **extra)
        except (AuthlibBaseError, RequestException, ValueError, KeyError, RuntimeError) as error:
            raise SignInRefused(f"unexpected response from the provider ({type(error).__name__})") from error
        return response

    def signed_in_user(self) -> Subject:
        """Return the user who returned from the provider with this request.

        Raises SignInRefused: the provider does not confirm the user, or the settings do not allow the user.
        """
        try:
            metadata = self._metadata()
            token = self._client.authorize_access_token()
            claims: dict[str, Any] = dict(token.get("userinfo") or {})
            if self.settings.domains or self.settings.groups:
                userinfo = dict(self._client.userinfo(token=token)) if "userinfo_endpoint" in metadata else {}
                claims |= userinfo if userinfo.get("sub") == claims.get("sub") else {}
        except (AuthlibBaseError, JoseError, RequestException, ValueError, KeyError, RuntimeError) as error:
            raise SignInRefused(f"the provider did not confirm the sign-in ({type(error).__name__})") from error
        subject, proven_at = claims.get("sub"), claims.get("auth_time")
        if not isinstance(subject, str) or not 0 < len(subject) <= MAX_CHARS:
            raise SignInRefused("the provider sent no valid `sub` claim")
        if not self._is_allowed(claims):
            raise SignInRefused("this account may not sign in to this site")
        return Subject(self.settings.issuer, subject, float(proven_at) if isinstance(proven_at, int | float) else None)

    def _metadata(self) -> dict[str, Any]:
        metadata: dict[str, Any] = self._client.load_server_metadata()
        if str(metadata.get("issuer", "")).rstrip("/") != self.settings.issuer:
            raise ValueError("the discovery document belongs to a different issuer")
        supported = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
        metadata["id_token_signing_alg_values_supported"] = [name for name in supported if name in ALGORITHMS]
        return metadata

    def _is_allowed(self, claims: dict[str, Any]) -> bool:
        domains, groups = self.settings.domains, self.settings.groups
        if domains:
            address = str(claims.get("email", "")).lower()
            if claims.get("email_verified") is not True or address.rpartition("@")[2] not in domains:
                return False
        claimed = claims.get("groups")
        return not groups or (isinstance(claimed, list) and bool(groups & {str(group) for group in claimed}))
