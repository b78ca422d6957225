#!/bin/sh
# A Gauntlet worker in a container. Build the image once, from a checkout:
#     docker build -f deploy/Dockerfile -t gauntlet .
# The volume holds the machine's identity and token, and games on their way. `docker stop -t 660 gauntlet-worker` lets
# the games in hand end.
exec docker run --detach --name gauntlet-worker --restart on-failure --stop-timeout 660 \
    --read-only --cap-drop ALL --security-opt no-new-privileges \
    --volume gauntlet-worker:/state \
    gauntlet work --dir /state/worker --grace 10m@OPTIONS@
