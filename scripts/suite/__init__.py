"""The bundled test suites: generators, reference answers and the table of cases."""
