import schemathesis

POSITION = "almijara-min-sequence"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Asks for no position that the log has not reached.

    The answer to that is a pause and a 503, which the description has and a test of the query
    service's own looks at. Here it would be taken for a failure.
    """
    asked = (case.headers or {}).get(POSITION, "")
    if asked.isascii() and asked.isdigit() and int(asked) < 1 << 54:
        case.headers[POSITION] = "0"
