#!/bin/sh
# A Gauntlet worker in a container. Build the image once, from a checkout:
#     docker build -f deploy/Dockerfile -t gauntlet .
# The volume holds the machine's identity and token, and games on their way. `docker stop -t @STOP@ gauntlet-worker` lets
# the games in hand end.
exec docker run --detach --name gauntlet-worker --restart on-failure --stop-timeout @STOP@ \
    --read-only --cap-drop ALL --security-opt no-new-privileges \
    --volume gauntlet-worker:/state \
    gauntlet work --dir /state/worker@OPTIONS@
