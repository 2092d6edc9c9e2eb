"""Sign-in with a school's or company's accounts (OpenID Connect)."""
