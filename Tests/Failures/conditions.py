"""The conditions of the failure matrix: what is wrong while a front end runs."""

import contextlib
import dataclasses
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from front_ends import OLD_BIN
from places import FaultyDisk, dismissal, permission

# How long a slow daemon is stopped and runs, in seconds.
STOPPED, RUNNING = 0.7, 0.1
# The condition in which a program may do what it does without Router.
SWITCHED_OFF = "switched off"
# How long to wait for a prompt, which some front ends never show.
PATIENCE = 2


@dataclasses.dataclass
class Condition:
    name: str
    # Describes how the test makes it.
    how: str
    # Prepares a place, and returns what makes it well again, before the log is read.
    prepare: callable
    # What happens once the front end has started: called in a thread with the place and the process.
    meanwhile: callable = None
    # How long a front end waits for a daemon that does not respond, in seconds.
    patience: int = 0
    needs: callable = lambda: None
    # Whether the daemon may read the request only after the front end has ended.
    is_delayed: bool = False


def no_daemon(place):
    return lambda: place.serve()


def broken_configuration(place):
    place.serve()
    # The socket's file stays.
    place.daemon.kill()
    place.daemon.wait()
    place.daemon.stderr.close()
    place.start("acess: {}\n")
    said = place.daemon.communicate(timeout=30)[1]
    assert place.daemon.returncode != 0 and "acess" in said, said
    return lambda: place.serve()


def stopped(place):
    place.serve()
    place.present()
    place.daemon.send_signal(signal.SIGSTOP)
    return lambda: place.daemon.send_signal(signal.SIGCONT)


def shown(place):
    place.serve()
    place.present()
    return lambda: place.daemon.send_signal(signal.SIGCONT)


def stop_when_shown(place, process):
    if place.presenter.shown.wait(PATIENCE):
        place.daemon.send_signal(signal.SIGSTOP)


def kill_when_shown(place, process):
    if place.presenter.shown.wait(PATIENCE):
        process.kill()


def slow(place):
    place.serve()
    place.present(dismissal)
    place.is_slow = True

    def stutter():
        while place.is_slow and place.daemon.poll() is None:
            place.daemon.send_signal(signal.SIGSTOP)
            time.sleep(STOPPED)
            place.daemon.send_signal(signal.SIGCONT)
            time.sleep(RUNNING)

    thread = threading.Thread(target=stutter)
    thread.start()

    def well():
        place.is_slow = False
        thread.join()

    return well


def allowing(place):
    place.serve()
    place.present(permission)
    return lambda: None


def no_presenter(place):
    place.serve()
    return lambda: None


def switched_off(place):
    place.serve()
    place.present()
    place.call("PUT", "/v1/switch", {"off": True})
    return lambda: place.call("PUT", "/v1/switch", {"off": False})


def on_again(place):
    place.serve()
    place.present()
    return lambda: place.call("PUT", "/v1/switch", {"off": False})


def switch_off_when_shown(place, process):
    if place.presenter.shown.wait(PATIENCE):
        place.call("PUT", "/v1/switch", {"off": True})


def full_disk(place):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "router-failures", place.disk], check=True)
    place.is_mounted = True
    place.serve()
    place.present()
    filler = place.disk + "/filler"
    descriptor = os.open(filler, os.O_WRONLY | os.O_CREAT, 0o600)
    with contextlib.suppress(OSError):
        while True:
            os.write(descriptor, bytes(4096))
    os.close(descriptor)
    return lambda: os.remove(filler)


def unwritable(place):
    disk = FaultyDisk(place)
    place.serve(**disk.variables)
    place.present()
    disk.set(30)  # EROFS
    return lambda: disk.set(0)


def old_daemon(place, acts=dismissal):
    place.routerd = str(OLD_BIN / "routerd")
    place.serve()
    place.present(acts)
    return lambda: None


def old_client(place, acts=dismissal):
    place.routerctl = str(OLD_BIN / "routerctl")
    place.serve()
    place.present(acts)
    return lambda: None


def has_old():
    return None if OLD_BIN else "ROUTER_OLD_BIN is not set; scripts/test-versions builds the programs of the last version"


def can_mount():
    if os.geteuid() != 0:
        return "only root can mount a small disk"
    with tempfile.TemporaryDirectory() as directory:
        if subprocess.run(["mount", "-t", "tmpfs", "router-failures", directory], capture_output=True).returncode != 0:
            return "this container may not mount a small disk"
        subprocess.run(["umount", directory], check=True)
    return None


VERSIONS = [
    Condition(
        "old daemon", "`routerd` is of the version before, and the front end of this one. The person closes the prompt.", old_daemon,
        needs=has_old),
    Condition(
        "old client", "The front end is of the version before, and `routerd` of this one. The person closes the prompt.", old_client,
        needs=has_old),
]

CONDITIONS = [
    Condition("no daemon", "There is no socket.", no_daemon),
    Condition(
        "broken configuration",
        "`routerd` does not start, for an unknown name in `routerd.yaml`; the socket's file of the last one remains.",
        broken_configuration),
    Condition("stopped daemon", "SIGSTOP before the front end starts. A presenter is attached.", stopped, is_delayed=True,
              patience=100),
    Condition("daemon stops later", "SIGSTOP while the prompt is shown.", shown, meanwhile=stop_when_shown, patience=100),
    Condition("slow daemon", "The daemon runs for an eighth of the time. The person closes the prompt.", slow),
    Condition("no presenter", "The daemon runs, and nobody is attached.", no_presenter),
    Condition("nobody answers", "A presenter shows the prompt, and the person does nothing.", shown),
    Condition(
        "host's time-out", "The host kills the front end (SIGKILL) while the prompt is shown.", shown, meanwhile=kill_when_shown),
    Condition(SWITCHED_OFF, "`routerctl off` before the front end starts.", switched_off),
    Condition("switched off later", "`routerctl off` while the prompt is shown.", on_again, meanwhile=switch_off_when_shown),
    Condition("full disk", "The database's file system has no space left. A presenter is attached.", full_disk, needs=can_mount),
    Condition("unwritable log", "Each write to the database fails with EROFS. A presenter is attached.", unwritable,
              needs=lambda: None if shutil.which("cc") else "there is no C compiler"),
    *VERSIONS,
]

# Show that the matrix would notice a permission, and that one gets through between versions.
ALLOWING = Condition("allowed", "The person allows it.", allowing)
ALLOWING_VERSIONS = [
    Condition("old daemon allowed", "The person allows it.", lambda place: old_daemon(place, permission), needs=has_old),
    Condition("old client allowed", "The person allows it.", lambda place: old_client(place, permission), needs=has_old),
]
