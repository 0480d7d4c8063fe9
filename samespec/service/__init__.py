"""The HTTP service: `samespec serve`. For training clusters and editors, on a network that is trusted.

`app` has the end points, `models` what they take, `limits` what a request may cost, `static` the page for people.
"""
