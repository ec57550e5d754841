"""What the server takes and the document does not say: requests of these kinds are not sent."""

import schemathesis


LIMITS = {
    "issues_create_limit",
    "notes_create_limit",
    "pipeline_limit_per_user",
    "raw_blob_request_limit",
    "search_rate_limit",
    "search_rate_limit_unauthenticated",
    "users_get_by_id_limit",
    "projects_api_limit",
    "projects_api_rate_limit_unauthenticated",
    "project_jobs_api_rate_limit",
}


def limits_requests(body):
    """Settings that would refuse the tester's next requests, whatever they are."""
    return isinstance(body, dict) and any(
        (name.startswith("throttle_") or name in LIMITS) and value not in (False, 0, "false", "0")
        for name, value in body.items()
    )


@schemathesis.hook
def filter_case(context, case):
    body = case.body
    if isinstance(body, (bytes, str)):
        # White space alone is no body.
        return bool(body.strip())
    # An empty object is an empty list: a form writes the members of a list as those of an object.
    return not (isinstance(body, dict) and {} in body.values()) and not limits_requests(body)
