"""The processes behind the site: match worker, record worker, beat, mail."""
