/// Commands whose answer is remembered as widely as it is offered, the later commands that it settles, and those that a person is
/// asked about. From the programs' manual pages.
struct CommandPairs: Sendable, CustomStringConvertible {
  let first: String
  var settled: [String] = []
  var asked: [String] = []

  var description: String { first }

  static let all = git + forges + clouds + containers + system + packages + readers + unknown

  static let git = [
    Self(
      first: "git log --oneline",
      settled: [
        "git log", "git log -5", "git log -n 3 --stat", "git log --since=yesterday -- src", "git log -p HEAD~2..HEAD",
        "git log --author ada --no-merges", "git log --format=%h main", "git log -S needle", "git log -n3",
        "git log --decorate=short",
      ],
      asked: [
        "git log --output=x", "git log --outp=x", "git log --ext-diff", "git log --textconv", "git log -n --output=x",
        "git log --format --output=x", "git log --since --ext-diff", "git log -Ofile", "git log --color-words=x --exec=x",
        "git log --show-signature", "git log a::b", "git log ../other", "git log -- /etc/passwd", "git log --git-dir=x",
        "git log -", "git push", "git -C x log", "git -c core.pager=x log", "git --git-dir=x log", "git --no-pager log",
      ]),
    Self(
      first: "git --no-pager log", settled: ["git --no-pager log -3"],
      asked: ["git log", "git --no-pager show", "git --no-pager -C x log", "git --no-pager log --output=x"]),
    Self(
      first: "git show HEAD", settled: ["git show HEAD~1 --stat", "git show v1.0 --name-only"],
      asked: ["git show --ext-diff HEAD", "git show --output=x HEAD", "git show HEAD:../../x"]),
    Self(
      first: "git status", settled: ["git status -sb", "git status --porcelain=v2 src", "git status -uno"],
      asked: ["git status -x", "git stash", "git statusx", "git status --ignored --foo"]),
    Self(
      first: "git diff", settled: ["git diff --cached", "git diff -U5 main -- src", "git diff --word-diff=color"],
      asked: ["git diff --output x", "git diff --ext-diff", "git diff --no-index a b", "git diff -Ox", "git difftool -x rm"]),
    Self(
      first: "git branch -v", settled: ["git branch", "git branch -a", "git branch --contains HEAD", "git branch -avv"],
      asked: [
        "git branch -c a b", "git branch --unset-upstream",
        "git branch -D main", "git branch -d main", "git branch x", "git branch -m a b", "git branch -f main HEAD~9",
        "git branch -vD main", "git branch --edit-description", "git branch -u origin/x", "git branch --delete x",
      ]),
    Self(
      first: "git tag", settled: ["git tag -l", "git tag --contains HEAD"],
      asked: ["git tag v1", "git tag -d v1", "git tag -l -d v1", "git tag -s v1", "git tag -f v1 HEAD~1"]),
    Self(
      first: "git remote -v", settled: ["git remote"],
      asked: ["git remote add x ext::sh", "git remote remove origin", "git remote set-url origin x", "git remote update"]),
    Self(
      first: "git stash list", settled: ["git stash list -3"],
      asked: ["git stash", "git stash drop", "git stash pop", "git stash clear", "git stash list x"]),
    Self(
      first: "git blame a.c", settled: ["git blame -w b.c", "git blame -L 1,5 b.c"],
      asked: ["git blame --contents /etc/shadow a.c", "git blame --contents=x a.c", "git blame --textconv a.c"]),
    Self(
      first: "git grep x", settled: ["git grep -n y", "git grep -il y -- src"],
      asked: [
        "git grep -O y", "git grep -Oless y", "git grep --open-files-in-pager=x y", "git grep --no-index y", "git grep -nO y",
      ]),
    Self(first: "git rev-parse HEAD", settled: ["git rev-parse --short HEAD"], asked: ["git rev-parse --parseopt"]),
    Self(first: "git ls-files", settled: ["git ls-files -o --exclude-standard"], asked: ["git ls-files --with-tree=x"]),
    Self(first: "git cat-file -p HEAD", settled: ["git cat-file -t HEAD"], asked: ["git cat-file --filters HEAD:x"]),
    Self(first: "git reflog", settled: ["git reflog -3"], asked: ["git reflog expire --all", "git reflog delete x"]),
    Self(
      first: "git worktree list", settled: ["git worktree list -v"], asked: ["git worktree remove x", "git worktree add x"]),
    Self(
      first: "git fetch origin", asked: ["git fetch ext::sh", "git fetch -u origin main:main", "git fetch --upload-pack=x y"]),
    Self(first: "git merge topic", asked: ["git merge -s x topic", "git merge --strategy=x topic", "git merge other"]),
    Self(first: "git pull", asked: ["git pull -s x", "git pull x::y", "git pull --rebase=x"]),
    Self(first: "git checkout main", asked: ["git checkout -f main", "git checkout .", "git checkout -- a"]),
    Self(
      first: "git commit -m x", asked: ["git commit -m x --amend", "git commit -m x --no-verify", "git commit -F /etc/passwd"]),
    Self(first: "git add a", asked: ["git add -A", "git add -f .env", "git add ."]),
    Self(first: "git rm a", asked: ["git rm -r .", "git rm -f b"]),
    Self(first: "git reset a", asked: ["git reset --hard", "git reset HEAD~3"]),
    Self(first: "git ls-remote origin", asked: ["git ls-remote ext::sh", "git ls-remote --upload-pack=x y"]),
  ]

  static let forges = [
    Self(
      first: "gh pr view 7", settled: ["gh pr view 8", "gh pr view --comments 8", "gh pr view 8 --json title"],
      asked: [
        "gh pr review 7 --approve", "gh pr edit 7", "gh pr ready 7", "gh pr lock 7", "gh pr update-branch 7",
        "gh pr merge 7", "gh pr close 7", "gh pr view 7 --web", "gh pr view -R other/repo 7", "gh pr checkout 7",
        "gh pr view https://github.com/other/repo/pull/1", "gh pr comment 7", "gh pr view 7 --jq .x",
      ]),
    Self(
      first: "gh pr list", settled: ["gh pr list --state closed -L 50"],
      asked: ["gh pr create", "gh pr list --repo x/y", "gh pr list -w"]),
    Self(
      first: "gh issue list", settled: ["gh issue list -l bug"],
      asked: ["gh issue delete 3", "gh issue list -R x/y", "gh issue transfer 3 x"]),
    Self(
      first: "gh run view 5", settled: ["gh run view 6 --log"], asked: ["gh run rerun 5", "gh run delete 5", "gh run cancel 5"]),
    Self(
      first: "gh release view v1", settled: ["gh release view v2"], asked: ["gh release delete v1", "gh release upload v1 x"]),
    Self(first: "gh repo view", asked: ["gh repo delete", "gh repo view other/repo", "gh repo clone x"]),
    Self(first: "gh auth status", asked: ["gh auth token", "gh auth status --show-token", "gh auth logout"]),
    Self(first: "gh api user", asked: ["gh api -X DELETE repos/x/y", "gh api graphql"]),
    Self(first: "glab mr view 3", settled: ["glab mr view 4 --comments"], asked: ["glab mr merge 3", "glab mr view 3 -R x/y"]),
    Self(first: "glab issue list", settled: ["glab issue list --closed"], asked: ["glab issue delete 2"]),
  ]

  static let clouds = [
    Self(
      first: "aws s3 ls", settled: ["aws s3 ls --summarize"],
      asked: [
        "aws s3 mv a b", "aws s3 mb s3://x", "aws s3 cp a b", "aws s3 rm s3://b --recursive", "aws s3 sync . s3://b",
        "aws s3 ls s3://other", "aws s3 ls --profile x", "aws s3 ls --endpoint-url x",
      ]),
    Self(
      first: "aws sts get-caller-identity", settled: ["aws sts get-caller-identity --output json"],
      asked: ["aws sts assume-role x"]),
    Self(
      first: "aws ec2 describe-instances", settled: ["aws ec2 describe-instances --output text"],
      asked: ["aws ec2 terminate-instances x", "aws ec2 describe-instances --region x"]),
    Self(first: "aws ssm get-parameters x", asked: ["aws ssm get-parameters y"]),
    Self(
      first: "gcloud projects list", settled: ["gcloud projects list --limit 3"],
      asked: ["gcloud projects delete x", "gcloud projects list --account=x"]),
    Self(
      first: "gcloud compute instances list", settled: ["gcloud compute instances list --filter=x"],
      asked: [
        "gcloud compute firewall-rules delete x", "gcloud compute scp a b", "gcloud compute instances delete x",
        "gcloud compute instances list --project y", "gcloud compute ssh x",
      ]),
    Self(
      first: "az vm list", settled: ["az vm list -o table"],
      asked: [
        "az vm start -n x", "az vm open-port -n x", "az vm delete -n x", "az vm list --subscription x",
        "az vm run-command invoke x",
      ]),
    Self(
      first: "az account show", settled: ["az account show -ojson"],
      asked: ["az account get-access-token", "az account set -s x"]),
    Self(
      first: "kubectl get pods", settled: ["kubectl get pods -o wide", "kubectl get pods web-1"],
      asked: [
        "kubectl get secrets", "kubectl get pods,secrets", "kubectl delete pods web-1", "kubectl get pods --kubeconfig=x",
        "kubectl get pods --context x", "kubectl get pods -n kube-system", "kubectl get -f x", "kubectl exec web-1 ls",
      ]),
    Self(
      first: "kubectl logs web-1", settled: ["kubectl logs web-2 --tail=9"],
      asked: ["kubectl logs web-1 --kubeconfig x", "kubectl cp web-1:/x y"]),
    Self(first: "kubectl describe nodes", asked: ["kubectl describe secrets", "kubectl drain x"]),
    Self(
      first: "helm list", settled: ["helm list -a"],
      asked: ["helm uninstall x", "helm list --kubeconfig x", "helm upgrade x y"]),
    Self(
      first: "helm status web", settled: ["helm status api"],
      asked: ["helm rollback web 1", "helm status web --kube-context x"]),
    Self(first: "terraform show", asked: ["terraform destroy", "terraform apply", "terraform show x"]),
    Self(first: "op item get x", asked: ["op item delete x", "op run sh"]),
    Self(first: "vault read x", asked: ["vault read y", "vault delete x"]),
  ]

  static let containers = [
    Self(
      first: "docker ps", settled: ["docker ps -a", "docker ps -aq --filter name=x", "docker ps --format json"],
      asked: ["docker run x", "docker rm x", "docker -H x ps", "docker --context x ps", "docker ps x", "docker exec x sh"]),
    Self(
      first: "docker logs web", settled: ["docker logs -f web", "docker logs --tail 9 api"],
      asked: ["docker kill web", "docker logs --foo web"]),
    Self(
      first: "docker images", settled: ["docker images -q"], asked: ["docker rmi x", "docker image prune", "docker build ."]),
    Self(first: "docker inspect web", asked: ["docker inspect db"]),
    Self(
      first: "docker compose ps", settled: ["docker compose ps -a web"],
      asked: ["docker compose up", "docker compose -f x ps", "docker compose exec web sh", "docker compose down -v"]),
    Self(first: "docker volume ls", settled: ["docker volume ls -q"], asked: ["docker volume rm x", "docker volume prune"]),
    Self(first: "podman ps", settled: ["podman ps -a"], asked: ["podman run x", "podman --remote ps", "podman unshare rm x"]),
    Self(
      first: "virsh list", settled: ["virsh list --all"],
      asked: ["virsh destroy x", "virsh -c qemu+ssh://x/system list", "virsh undefine x"]),
    Self(
      first: "incus list", settled: ["incus list -c ns"],
      asked: ["incus exec web sh", "incus list other:", "incus delete web", "incus file pull web/x y"]),
    Self(first: "lxc list", settled: ["lxc list --format json"], asked: ["lxc exec web sh", "lxc list other:"]),
    Self(
      first: "machinectl list", settled: ["machinectl list -a"],
      asked: ["machinectl shell web", "machinectl list -H x", "machinectl remove web"]),
    Self(first: "distrobox list", asked: ["distrobox enter x"]),
    Self(first: "skopeo inspect x", asked: ["skopeo inspect y", "skopeo delete x"]),
  ]

  static let system = [
    Self(
      first: "systemctl status nginx", settled: ["systemctl status sshd -n 5 --no-pager", "systemctl status -l nginx"],
      asked: [
        "systemctl stop nginx", "systemctl -H x status nginx", "systemctl status -H x nginx", "systemctl edit nginx",
        "systemctl --root=x status",
      ]),
    Self(
      first: "systemctl --user status a", settled: ["systemctl --user status b"],
      asked: ["systemctl --user stop a", "systemctl status a", "systemctl --user -M x status a"]),
    Self(
      first: "systemctl list-units", settled: ["systemctl list-units --failed"],
      asked: ["systemctl isolate rescue", "systemctl list-units --root=x"]),
    Self(
      first: "systemctl cat nginx", settled: ["systemctl cat sshd"], asked: ["systemctl show nginx", "systemctl mask nginx"]),
    Self(
      first: "journalctl -u nginx", settled: ["journalctl -u sshd -n 50 --no-pager", "journalctl -xe", "journalctl -b -p err"],
      asked: [
        "journalctl --vacuum-size=1M", "journalctl --rotate", "journalctl --cursor-file=x", "journalctl -D /var/log/x",
        "journalctl -M x", "journalctl --flush",
      ]),
    Self(
      first: "loginctl list-sessions", settled: ["loginctl list-sessions --no-legend"],
      asked: ["loginctl terminate-session 2", "loginctl kill-user ada"]),
    Self(
      first: "timedatectl status", settled: ["timedatectl status --no-pager"],
      asked: ["timedatectl set-time x", "timedatectl -H x status"]),
    Self(first: "hostnamectl status", asked: ["hostnamectl set-hostname x", "hostnamectl status -H x"]),
    Self(
      first: "networkctl status", settled: ["networkctl status eth0"],
      asked: ["networkctl down eth0", "networkctl delete eth0"]),
    Self(
      first: "resolvectl status", settled: ["resolvectl status eth0"],
      asked: ["resolvectl dns eth0 9.9.9.9", "resolvectl query x"]),
    Self(
      first: "busctl list", settled: ["busctl list --acquired"],
      asked: ["busctl call a /b c d", "busctl --address=x list", "busctl list -H x", "busctl set-property a b c d"]),
    Self(first: "busctl status org.x", settled: ["busctl status org.y"], asked: ["busctl introspect org.x /x"]),
    Self(
      first: "coredumpctl list", settled: ["coredumpctl list -n 3"],
      asked: ["coredumpctl dump -o x", "coredumpctl debug --debugger=x"]),
    Self(
      first: "systemd-analyze blame", settled: ["systemd-analyze blame --user"],
      asked: ["systemd-analyze set-log-level debug", "systemd-analyze blame -H x"]),
    Self(
      first: "udevadm info /dev/null", settled: ["udevadm info -a -n sda"],
      asked: ["udevadm trigger", "udevadm info --cleanup-db", "udevadm control --reload"]),
    Self(
      first: "ip addr show", settled: ["ip addr show eth0", "ip addr show dev eth0 up"],
      asked: [
        "ip addr add 10.0.0.1/8 dev eth0", "ip addr flush dev eth0", "ip -b x addr show", "ip netns exec x sh",
        "ip -n x addr show",
      ]),
    Self(
      first: "ip route show", settled: ["ip route show default"],
      asked: ["ip route add default", "ip route del default", "ip route flush cache"]),
    Self(first: "nmcli device status", asked: ["nmcli device disconnect x", "nmcli radio off"]),
    Self(
      first: "nmcli connection show", settled: ["nmcli connection show home"],
      asked: ["nmcli connection delete home", "nmcli connection show -s home", "nmcli -s connection show home"]),
    Self(
      first: "zpool status", settled: ["zpool status -v tank"],
      asked: ["zpool destroy tank", "zpool status -c x tank", "zpool export tank"]),
    Self(
      first: "zfs list", settled: ["zfs list -t snapshot"], asked: ["zfs destroy tank/x", "zfs rollback x", "zfs set a=b x"]),
    Self(
      first: "btrfs subvolume list .", settled: ["btrfs subvolume list -t ."],
      asked: ["btrfs subvolume delete x", "btrfs send x"]),
    Self(first: "crontab -l", asked: ["crontab -r", "crontab x", "crontab -l -u root", "crontab -e"]),
    Self(
      first: "tmux list-sessions",
      asked: [
        "tmux kill-server", "tmux list-sessions ';' kill-server", "tmux list-sessions -F '#(reboot)'", "tmux run-shell reboot",
        "tmux -S x list-sessions",
      ]),
    Self(first: "gsettings get a b", settled: ["gsettings get a c"], asked: ["gsettings set a b c", "gsettings reset a b"]),
    Self(
      first: "svn status", settled: ["svn status -u", "svn status src"],
      asked: ["svn revert x", "svn status --config-option=x", "svn commit -m x"]),
    Self(
      first: "svn log", settled: ["svn log -l 3"],
      asked: ["svn log https://x/y", "svn log --diff --diff-cmd=x", "svn delete x"]),
    Self(
      first: "gpg --list-keys", settled: ["gpg --list-keys ada"],
      asked: ["gpg --list-keys --delete-keys ada", "gpg --list-keys --homedir x", "gpg --export-secret-keys"]),
    Self(first: "ssh-add -l", asked: ["ssh-add -D", "ssh-add -s x", "ssh-add -l -S x"]),
    Self(first: "hg log", asked: ["hg log --config x=y", "hg log -l 2"]),
    Self(first: "adb devices", asked: ["adb shell ls", "adb devices -l"]),
  ]

  static let packages = [
    Self(
      first: "apt list", settled: ["apt list --installed"], asked: ["apt remove x", "apt list -o APT::x=y", "apt list -c x"]),
    Self(first: "apt show curl", settled: ["apt show wget"], asked: ["apt install wget", "apt show -o Dir=x wget"]),
    Self(
      first: "apt-cache policy", settled: ["apt-cache policy curl"], asked: ["apt-cache -o x=y policy", "apt-cache gencaches"]),
    Self(
      first: "dpkg -l", settled: ["dpkg -l curl"],
      asked: ["dpkg -r curl", "dpkg -l --root=x", "dpkg -i x.deb", "dpkg -l --pre-invoke=x"]),
    Self(
      first: "rpm -qa", settled: ["rpm -qa kernel"],
      asked: ["rpm -e x", "rpm -qa --pipe x", "rpm -qi https://x/y.rpm", "rpm -qa --eval x"]),
    Self(
      first: "dnf list", settled: ["dnf list --installed"],
      asked: ["dnf remove x", "dnf list --setopt=x", "dnf history undo 1"]),
    Self(first: "pacman -Q", settled: ["pacman -Q curl"], asked: ["pacman -R curl", "pacman -Q --config x", "pacman -Sy"]),
    Self(
      first: "brew list", settled: ["brew list --versions"], asked: ["brew uninstall x", "brew list --debug", "brew edit x"]),
    Self(first: "snap list", settled: ["snap list --all"], asked: ["snap remove x", "snap run x"]),
    Self(first: "flatpak list", settled: ["flatpak list --app"], asked: ["flatpak run x", "flatpak list --installation=x"]),
    Self(
      first: "pip list", settled: ["pip list --format=json"],
      asked: ["pip install x", "pip list --index-url x", "pip --python x list", "pip list --path x"]),
    Self(first: "pip show a", settled: ["pip show -f b"], asked: ["pip uninstall a", "pip download a"]),
    Self(
      first: "npm ls", settled: ["npm ls --depth=0", "npm ls -a x"],
      asked: ["npm run x", "npm ls --prefix x", "npm exec x", "npm ls --script-shell=x", "npm test"]),
    Self(
      first: "gem list", settled: ["gem list --local x"],
      asked: ["gem install x", "gem list --config-file x", "gem list --remote --source x"]),
    Self(first: "conda list", settled: ["conda list --json"], asked: ["conda run x", "conda list -p x", "conda remove x"]),
    Self(
      first: "rustup toolchain list", settled: ["rustup toolchain list -v"],
      asked: ["rustup toolchain uninstall x", "rustup run x y", "rustup toolchain link x y"]),
    Self(first: "cargo tree", asked: ["cargo tree -p x", "cargo run", "cargo tree --config x=y"]),
    Self(first: "go list", asked: ["go list -m", "go run x", "go list -toolexec x"]),
    Self(first: "yarn list", asked: ["yarn list x", "yarn run x"]),
    Self(first: "make test", asked: ["make test SHELL=x", "make -f x test", "make test deploy"]),
  ]

  static let readers = [
    Self(
      first: "ls", settled: ["ls -la", "ls src tests", "ls --color=never", "ls -lahtr /s/x"],
      asked: ["ls /etc", "ls ~", "ls ..", "ls --foo", "ls -lE"]),
    Self(first: "stat a", settled: ["stat -c %s b"], asked: ["stat /etc/shadow"]),
    Self(first: "df", settled: ["df -h ."], asked: ["df --foo"]),
    Self(first: "du -sh src", settled: ["du -sh tests", "du -d 1"], asked: ["du --files0-from=x", "du -X x"]),
    Self(first: "wc -l a", settled: ["wc -c b"], asked: ["wc --files0-from=x", "wc -l /etc/passwd"]),
    Self(first: "ps -ef", settled: ["ps -p 1", "ps -e -o pid"], asked: ["ps aux", "ps e"]),
    Self(first: "ss -tln", settled: ["ss -tuap"], asked: ["ss -K dst x", "ss -tlnK", "ss -D x", "ss -F x"]),
    Self(first: "dmesg", settled: ["dmesg -T"], asked: ["dmesg -C", "dmesg -c", "dmesg -n 1", "dmesg -TC"]),
    Self(first: "uname -a", settled: ["uname -r"], asked: ["uname x"]),
    Self(first: "id", settled: ["id -u ada"], asked: ["id --foo"]),
    Self(first: "which ls", settled: ["which -a git"], asked: ["which --foo"]),
  ]

  /// Programs without subcommands, or that run others, or whose subcommands are not known.
  static let unknown = [
    Self(
      first: "rm build",
      asked: [
        "rm build .git", "rm build --no-preserve-root /", "rm build -d x", "rm build a b", "rm build -rf /home/ada",
        "rm build src", "rm -rf build", "rm build -r",
      ]),
    Self(
      first: "cp a b",
      asked: [
        "cp a b c", "cp a -r /etc", "cp a --backup=x b", "cp a /etc/cron.d/x", "cp a ~/.bashrc", "cp a b --remove-destination",
        "cp a -t c",
      ]),
    Self(first: "mv a b", asked: ["mv a b c", "mv a -t /tmp b", "mv a /tmp/x", "mv a b -f", "mv a c"]),
    Self(first: "mkdir a", asked: ["mkdir a -m 777", "mkdir a b"]),
    Self(first: "touch a", asked: ["touch a -d x b", "touch a -r b", "touch a b"]),
    Self(first: "ln a b", asked: ["ln a -sf c", "ln a /tmp/x"]),
    Self(first: "chmod 600 a", asked: ["chmod 600 b", "chmod 600 -R ."]),
    Self(first: "tee a", asked: ["tee a b", "tee a -a c"]),
    Self(first: "dd if=a", asked: ["dd if=a of=/dev/sda"]),
    Self(first: "cat a", asked: ["cat a .env", "cat a b"]),
    Self(first: "head a", asked: ["head a .env"]),
    Self(first: "grep x a", asked: ["grep x -r .", "grep x -f b"]),
    Self(
      first: "prettier src",
      asked: [
        "prettier src --parser=./x.js", "prettier src tests", "prettier src --stdin-filepath x", "prettier src --plugin=./x.js",
        "prettier src --write", "prettier src --config x",
      ]),
    Self(
      first: "eslint src",
      asked: [
        "eslint src --format ./x.js", "eslint src --parser x", "eslint src --cache-location x", "eslint src --fix",
        "eslint src --rulesdir x", "eslint src -c x",
      ]),
    Self(first: "tsc src", asked: ["tsc src --outDir /tmp/x", "tsc src -p y"]),
    Self(first: "proot sh", asked: ["proot sh -c x"]),
    Self(first: "ccache gcc", asked: ["ccache gcc -wrapper x"]),
    Self(first: "sccache rustc", asked: ["sccache rustc x"]),
    Self(first: "distcc gcc", asked: ["distcc gcc x"]),
    Self(first: "sudo ls", asked: ["sudo ls -l"]),
    Self(first: "env ls", asked: ["env ls -l", "env A=1 ls"]),
    Self(first: "sh a.sh", asked: ["sh a.sh b", "sh a.sh -c x"]),
    Self(first: "python3 a.py", asked: ["python3 a.py b"]),
    Self(first: "node a.js", asked: ["node a.js b"]),
    Self(first: "find src", asked: ["find src -delete", "find src -exec rm x"]),
    Self(first: "xargs ls", asked: ["xargs ls -l"]),
    Self(first: "curl x", asked: ["curl x -o y", "curl x -d @.env"]),
    Self(first: "ssh host", asked: ["ssh host reboot"]),
    Self(first: "rsync a b", asked: ["rsync a host:b", "rsync a -e x"]),
    Self(first: "tar tf a", asked: ["tar tf a --to-command=x", "tar tf a --checkpoint-action=x"]),
    Self(first: "jq . a", asked: ["jq . b", "jq . -f b"]),
    Self(first: "sqlite3 a", asked: ["sqlite3 a .shell"]),
    Self(first: "psql a", asked: ["psql a -c x"]),
    Self(first: "redis-cli get", asked: ["redis-cli get x", "redis-cli flushall"]),
    Self(first: "openssl version", asked: ["openssl version -a", "openssl enc -out x"]),
    Self(first: "bundle list", asked: ["bundle list --paths", "bundle exec x"]),
    Self(first: "swift package describe", asked: ["swift package reset", "swift package describe -c x"]),
    Self(first: "./git log", asked: ["./git log x"]),
    Self(first: "/tmp/git log", asked: ["/tmp/git log x"]),
    Self(first: "my-tool status", asked: ["my-tool status x", "my-tool status --x"]),
    Self(first: "ruff check", asked: ["ruff check --fix", "ruff check --config x", "ruff check /"]),
    Self(first: "black src", asked: ["black src --code x", "black src /s/../x", "black src tests"]),
    Self(first: "rustfmt a.rs", asked: ["rustfmt a.rs --config-path x", "rustfmt a.rs b.rs"]),
    Self(first: "shfmt a.sh", asked: ["shfmt a.sh -w", "shfmt a.sh b.sh"]),
    Self(first: "gofmt a.go", asked: ["gofmt a.go -w", "gofmt a.go -r x"]),
    Self(first: "patch a", asked: ["patch a b", "patch a -o /etc/x", "patch a --force"]),
    Self(first: "gzip a", asked: ["gzip a b", "gzip a -r src", "gzip a -f"]),
    Self(first: "unzip a.zip", asked: ["unzip a.zip -d /", "unzip a.zip -o"]),
    Self(first: "7z x", asked: ["7z x a.7z -o/", "7z x b.7z"]),
    Self(first: "ffmpeg a", asked: ["ffmpeg a b", "ffmpeg a -y c"]),
    Self(first: "pandoc a", asked: ["pandoc a --lua-filter=x", "pandoc a -o b"]),
    Self(first: "convert a", asked: ["convert a b", "convert a /etc/x"]),
    Self(first: "install a", asked: ["install a b", "install a -m 4755 b", "install a /usr/local/bin"]),
    Self(first: "truncate a", asked: ["truncate a b", "truncate a -s 0"]),
    Self(first: "kill 12", asked: ["kill 12 34", "kill 12 1", "kill 12 -9"]),
    Self(first: "pkill x", asked: ["pkill x -u root", "pkill x -9"]),
    Self(first: "mount a", asked: ["mount a /mnt", "mount a -o exec"]),
    Self(first: "useradd x", asked: ["useradd x -o -u 0", "useradd x -G sudo"]),
    Self(first: "chown ada", asked: ["chown ada a", "chown ada -R /"]),
    Self(first: "ufw status", asked: ["ufw status verbose", "ufw status numbered"]),
    Self(first: "firebase deploy", asked: ["firebase deploy --only x", "firebase deploy --project y"]),
    Self(first: "vercel deploy", asked: ["vercel deploy --prod", "vercel deploy --token x"]),
    Self(first: "heroku run", asked: ["heroku run bash", "heroku run x -a other"]),
    Self(first: "fly deploy", asked: ["fly deploy -a other", "fly deploy --config x"]),
    Self(first: "doctl compute", asked: ["doctl compute droplet delete x", "doctl compute ssh x"]),
    Self(first: "rclone copy", asked: ["rclone copy a b", "rclone copy a b:/ --config x", "rclone copy / b"]),
    Self(first: "restic backup", asked: ["restic backup /", "restic backup a --password-command x"]),
    Self(first: "borg create", asked: ["borg create a b", "borg create a --rsh x"]),
    Self(first: "gsutil cp", asked: ["gsutil cp a b", "gsutil cp .env gs"]),
    Self(first: "argocd app", asked: ["argocd app delete x", "argocd app sync x"]),
    Self(first: "flux get", asked: ["flux get all", "flux get x --kubeconfig y"]),
    Self(first: "istioctl install", asked: ["istioctl install -y", "istioctl install --set x=y"]),
    Self(first: "minikube kubectl", asked: ["minikube kubectl delete", "minikube kubectl x"]),
    Self(first: "buildah run", asked: ["buildah run x sh", "buildah run y rm"]),
    Self(first: "consul kv", asked: ["consul kv delete x", "consul kv put x y"]),
    Self(first: "nomad job", asked: ["nomad job stop x", "nomad job run y"]),
    Self(first: "packer build", asked: ["packer build x", "packer build -var a=b y"]),
    Self(first: "bq query", asked: ["bq query x", "bq query --destination_table a b"]),
    Self(first: "mongosh x", asked: ["mongosh x --eval y", "mongosh x -f z"]),
    Self(first: "systemd-nspawn a", asked: ["systemd-nspawn a sh", "systemd-nspawn a -D /"]),
    Self(first: "logger x", asked: ["logger x -f /etc/shadow", "logger x -n host"]),
    Self(first: "mail ada", asked: ["mail ada bob", "mail ada -A .env"]),
    Self(first: "xdg-open a", asked: ["xdg-open a b", "xdg-open https://x"]),
    Self(first: "pass show", asked: ["pass show x", "pass show y"]),
    Self(first: "git-lfs track", asked: ["git-lfs track x", "git-lfs track --filename y"]),
  ]
}
