"""The background processes of the site: match worker, record worker, analysis worker, scheduler and mailer."""
