import schemathesis

POSITION = "almijara-min-sequence"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Requests no position that the log has not reached.

    The API would answer with 503 after a pause. That is described, and tested in the query service,
    but Schemathesis would count it as a failure.
    """
    position = (case.headers or {}).get(POSITION, "")
    if position.isascii() and position.isdigit() and int(position) < 1 << 54:
        case.headers[POSITION] = "0"
