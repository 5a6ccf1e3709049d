"""Two machines to throw away, reached through a real sshd. One of them has no Python."""

import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MACHINE = HERE.parent / "lab/machine"
PACKAGES = ["openssh-server", "openssh-sftp-server", "libwrap0", "sudo"]
SSHD = """HostKey /etc/ssh/ssh_host_ed25519_key
PermitRootLogin prohibit-password
PasswordAuthentication no
UsePAM no
Subsystem sftp /usr/lib/openssh/sftp-server
MaxSessions 100
"""
NAMESPACES = ["--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup"]


def command(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, text=True, capture_output=True, **options)


class Machines:
    """The machines of one run. They have no network: ssh starts sshd inside the namespaces of a machine."""

    def __init__(self, lab, directory):
        self.lab, self.directory = pathlib.Path(lab), pathlib.Path(directory)
        self.roots, self.names = {}, []
        self.key = self.directory / "key"

    def start(self, *names):
        subprocess.run([MACHINE, "make", self.lab], check=True)
        packages = self.directory / "packages"
        packages.mkdir()
        # They are only unpacked: installing them would start a server.
        with tempfile.TemporaryDirectory(dir="/var/tmp") as downloads:
            pathlib.Path(downloads).chmod(0o777)
            command("apt-get", "download", "-qq", *PACKAGES, cwd=downloads)
            for package in pathlib.Path(downloads).glob("*.deb"):
                command("dpkg-deb", "-x", package, packages)
        command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key)
        for name in names:
            full = f"ansible-{name}"
            subprocess.run([MACHINE, "stop", self.lab, full], check=True)
            self.names.append(full)
            subprocess.run([MACHINE, "start", self.lab, full], check=True)
            self._prepare(name, packages)

    def _prepare(self, name, packages):
        pid = (self.lab / "machines" / f"ansible-{name}" / "init").read_text().strip()
        root = self.roots[name] = pathlib.Path(f"/proc/{pid}/root")
        # A copy through the links of the machine's root, which name directories in /usr.
        archive = subprocess.run(["tar", "-C", packages, "-c", "."], check=True, capture_output=True).stdout
        self.inside(name, "tar", "-C", "/", "-x", "--keep-directory-symlink", data=archive)
        (root / "etc/ssh/sshd_config").write_text(SSHD)
        (root / "etc/sudoers.d/anna").write_text("anna ALL=(ALL) NOPASSWD: ALL\nbert ALL=(ALL) ALL\n")
        self.inside(name, "sh", "-c", """
            mkdir -p /run/sshd
            echo 'sshd:x:150:65534::/run/sshd:/usr/sbin/nologin' >>/etc/passwd
            useradd -m -s /bin/bash -p '*' anna; useradd -m -s /bin/bash bert
            echo bert:sesame-of-bert | chpasswd
            ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ssh_host_ed25519_key
            for home in /root /home/anna /home/bert; do mkdir -p -m 700 $home/.ssh; cat >$home/.ssh/authorized_keys; done
        """)
        public = (self.directory / "key.pub").read_text()
        for home, owner in (("root", "root"), ("home/anna", "anna"), ("home/bert", "bert")):
            (root / home / ".ssh/authorized_keys").write_text(public)
            self.inside(name, "chown", "-R", owner, f"/{home}/.ssh")

    def without_python(self, name):
        self.inside(name, "sh", "-c", "rm -f /usr/bin/python3* /usr/bin/pdb3*")

    def inside(self, name, *words, data=b"", check=True):
        pid = str(self.roots[name]).split("/")[2]
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        done = subprocess.run(["nsenter", "--target", pid, *NAMESPACES, "--", "env", "-i", path, "HOME=/root", "LC_ALL=C.UTF-8", *words],
                              input=data, capture_output=True)
        if check and done.returncode != 0:
            raise AssertionError(f"{words}: status {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode()

    def variables(self, name, user="root"):
        """Returns how Ansible reaches a machine."""
        pid = str(self.roots[name]).split("/")[2]
        proxy = f"nsenter --target {pid} {' '.join(NAMESPACES)} -- /usr/sbin/sshd -i"
        options = f"-o ProxyCommand=\"{proxy}\" -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o IdentitiesOnly=yes -F /dev/null"
        return {"ansible_host": name, "ansible_user": user, "ansible_ssh_private_key_file": str(self.key), "ansible_ssh_common_args": options,
                "ansible_python_interpreter": "/usr/bin/python3"}

    def stop(self):
        for name in self.names:
            subprocess.run([MACHINE, "stop", self.lab, name], check=False)
        shutil.rmtree(self.directory, ignore_errors=True)
