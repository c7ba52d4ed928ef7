"""Generator of the documentation site: reference pages from the code and the schemas, then the site itself."""
