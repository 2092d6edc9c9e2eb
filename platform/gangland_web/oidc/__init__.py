"""Sign-in with somebody else's accounts (OpenID Connect): a school's or a company's, one provider a house."""
