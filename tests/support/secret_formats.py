"""Kinds of credentials, each with its shape as its service, gitleaks or TruffleHog publish it.

`WITH_A_MARK`: tokens known wherever they stand, by a prefix or a mark; those known by their names stand in
`named_secrets`, and both are more than 400. Nothing here looks like a secret: it is drawn at run time.

A shape is text with parts in braces: `{alphabet size}` draws so many characters. Alphabets: `h` hexadecimal, `l`
letters a-z and digits, `u` letters A-Z and digits, `a` letters and digits, `w` those with `-` and `_`, `b` base64, `d`
digits, `3` base32; `{uuid}` draws a UUID.
"""

import re
import string
from random import Random

DIGITS = string.digits
ALPHABETS = {
    "h": DIGITS + "abcdef",
    "l": string.ascii_lowercase + DIGITS,
    "u": string.ascii_uppercase + DIGITS,
    "a": string.ascii_letters + DIGITS,
    "w": string.ascii_letters + DIGITS + "-_",
    "b": string.ascii_letters + DIGITS + "+/",
    "d": DIGITS,
    "3": string.ascii_uppercase + "234567",
}


def drawn(random: Random, shape: str) -> str:
    """A token of a shape, from the random numbers given."""

    def part(match: re.Match[str]) -> str:
        if match[1] == "uuid":
            return "-".join("".join(random.choices(ALPHABETS["h"], k=size)) for size in (8, 4, 4, 4, 12))
        alphabet, size = match[1].split()
        return "".join(random.choices(ALPHABETS[alphabet], k=int(size)))

    return re.sub(r"\{([^{}]+)\}", part, shape)


# kind: shape. What the service shows around it (a URL, `name=`) is written before `@@`, and no part of the secret.
WITH_A_MARK = dict(
    line.split(None, 1)
    for line in """
1password-secret-key        A3-{u 6}-{u 6}-{u 5}-{u 5}-{u 5}-{u 5}
1password-service-account   ops_eyJ{b 260}
adafruit-io                 aio_{a 28}
adobe-client-secret         p8e-{l 32}
age                         AGE-SECRET-KEY-1{u 58}
airtable-pat                pat{a 14}.{h 64}
airtable-oauth              {a 17}.v1.{w 40}.{h 64}
aiven-password              AVNS_{w 19}
alchemy-url                 https://eth-mainnet.g.alchemy.com/v2/@@{w 32}
alibaba-access-key          LTAI{a 20}
anthropic-api               sk-ant-api03-{w 93}AA
anthropic-admin             sk-ant-admin01-{w 93}AA
anthropic-oauth             sk-ant-oat01-{w 93}AA
apideck                     sk_live_{a 40}-{a 50}
apify                       apify_api_{a 36}
artifactory-api             AKCp{a 69}
artifactory-reference       cmVmd{a 59}
asana-pat                   2/{d 16}/{d 16}:{h 32}
atlassian-api               ATATT3xFfGF0{w 170}={u 8}
atlassian-admin             ATCTT3xFfG{w 170}={u 8}
authress                    sc_{l 20}.{l 4}.acc_{l 20}.{b 60}
aws-access-key-id           AKIA{3 16}
aws-session-key-id          ASIA{3 16}
aws-bedrock-long            ABSK{b 120}=
aws-bedrock-short           bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{b 80}
azure-devops                {a 76}AZDO{a 4}
azure-cognitive             {a 52}JQQJ99{a 18}ACOG{a 4}
azure-functions             {w 44}AzFu{w 6}==
azure-search                {a 42}AzSe{a 6}
azure-registry              {a 42}+ACR{a 6}
azure-cosmos                {a 76}ACDb{a 6}==
azure-storage               {b 76}+ASt{b 6}==
azure-batch                 {b 76}+ABa{b 6}==
azure-redis                 {a 33}AzCa{a 6}=
azure-service-bus           {b 33}+ASb{b 6}=
azure-event-hub             {b 33}+AEh{b 6}=
azure-iot-hub               {b 33}AIoT{b 6}=
azure-client-secret         {a 3}8Q~{a 34}
azure-sas                   https://acme.blob.core.windows.net/c?sv=2024-11-04&se=2027-01-01&sig=@@{w 43}%3D
azure-app-configuration     Endpoint=https://acme.azconfig.io;Id={a 4};Secret=@@{b 43}=
bannerbear-project          bb_pr_{h 30}
bannerbear-master           bb_ma_{h 30}
bitbucket-app-password      ATBB{a 32}
bitbucket-data-center       BBDC-{a 44}
blockfrost                  mainnet{a 32}
brevo                       xkeysib-{h 64}-{a 16}
brevo-smtp                  xsmtpsib-{h 64}-{a 16}
browserbase                 bb_live_{w 27}
buildkite                   bkua_{l 40}
cerebras                    csk-{l 48}
checkout                    sk_test_{uuid}
circleci-personal           CCIPAT_{a 22}_{h 40}
circleci-project            CCIPRJ_{a 22}_{h 40}
clickhouse-cloud            4b1d{a 38}
clojars                     CLOJARS_{l 60}
cloudflare-user             cfut_{a 40}{h 8}
cloudflare-account          cfat_{a 40}{h 8}
cloudflare-global           cfk_{a 40}{h 8}
cloudflare-origin-ca        v1.0-{h 24}-{h 146}
cockroach-cloud             CCDB1_{a 22}_{a 40}
column                      live_{a 27}
contentful-pat              CFPAT-{w 43}
crates-io                   cio{a 32}
databricks-pat              dapi{h 32}
databricks-oauth            dose{h 32}
databricks-user             dkea{h 32}
slack-workflow-webhook      https://hooks.slack.com/workflows/@@T{u 8}/A{u 9}/{d 18}/{a 24}
daytona                     dtn_{h 64}
dbt-user                    dbtu_{w 40}
dbt-service                 dbtc_{w 40}
deno-user                   ddp_{a 36}
deno-organization           ddo_{a 36}
defined-networking          dnkey-{l 26}-{l 52}
devcycle-server             dvc_server_{a 20}_{a 20}
digitalocean-pat            dop_v1_{h 64}
digitalocean-oauth          doo_v1_{h 64}
digitalocean-refresh        dor_v1_{h 64}
digitalocean-spaces         DO00{u 16}
discord-bot                 M{a 25}.{w 6}.{w 38}
discord-webhook             https://discord.com/api/webhooks/{d 18}/@@{w 68}
docker-pat                  dckr_pat_{w 27}
docker-organization         dckr_oat_{w 32}
doppler-personal            dp.pt.{a 43}
doppler-service             dp.st.prd.{a 43}
doppler-cli                 dp.ct.{a 43}
doppler-service-account     dp.sa.{a 43}
doppler-identity            dp.said.{a 43}
doppler-scim                dp.scim.{a 43}
doppler-audit               dp.audit.{a 43}
dropbox-short               sl.u.{w 135}
dropbox-older               sl.{w 135}
duffel-live                 duffel_live_{w 43}
duffel-test                 duffel_test_{w 43}
dynatrace                   dt0c01.{u 24}.{u 64}
e2b                         e2b_{h 40}
easypost                    EZAK{a 54}
easypost-test               EZTK{a 54}
elevenlabs                  sk_{h 48}
endorlabs                   endr+{a 16}
facebook-page               EAAM{a 150}
facebook-user               EAACEdEose0cBA{a 60}
facebook-app                {d 16}|{w 27}
fcm-server                  AAAA{w 7}:APA91b{w 134}
figma-pat                   figd_{w 40}
figma-plan                  figp_{w 44}
firecrawl                   fc-{h 32}
fireworks                   fw_{a 24}
fleetbase                   flb_live_{a 20}
flexport                    shltm_{w 40}
flutterwave                 FLWSECK-{l 32}-X
flutterwave-test            FLWSECK_TEST-{h 32}-X
fly-io                      fo1_{w 43}
fly-io-macaroon             fm2_{b 500}
frameio                     fio-u-{w 64}
fullstory                   na1.{b 100}
github-classic              ghp_{a 36}
github-oauth                gho_{a 36}
github-user                 ghu_{a 36}
github-server               ghs_{a 36}
github-refresh              ghr_{a 36}
github-fine-grained         github_pat_{a 22}_{a 59}
gitlab-pat                  glpat-{w 20}
gitlab-pat-routable         glpat-{w 40}.01.{l 9}
gitlab-deploy               gldt-{w 20}
gitlab-runner               glrt-{w 20}
gitlab-runner-old           GR1348941{w 20}
gitlab-job                  glcbt-{a 3}_{w 20}
gitlab-trigger              glptt-{h 40}
gitlab-feed                 glft-{w 20}
gitlab-mail                 glimt-{w 25}
gitlab-agent                glagent-{w 50}
gitlab-oauth                gloas-{h 64}
gitlab-scim                 glsoat-{w 20}
gitlab-flags                glffct-{w 20}
gitlab-session              _gitlab_session=@@{l 32}
gocardless                  live_{w 40}
google-api                  AIza{w 35}
google-agent                AQ.Ab8RN6{w 44}
google-oauth-secret         GOCSPX-{w 28}
google-oauth-token          ya29.a0{w 120}
google-refresh              1//0{w 90}
google-hmac                 GOOG1E{3 55}
grafana-service             glsa_{a 32}_{h 8}
grafana-cloud               glc_eyJ{b 120}
grafana-legacy              eyJrIjoi{a 84}
groq                        gsk_{a 52}
harness                     pat.{w 22}.{a 24}.{a 20}
heroku                      HRKU-AA{w 58}
honeycomb                   hcaik_01{l 56}
hubspot-na                  pat-na1-{uuid}
hubspot-eu                  pat-eu1-{uuid}
huggingface                 hf_{a 34}
huggingface-organization    api_org_{a 34}
infracost                   ico-{a 32}
infura-url                  https://mainnet.infura.io/v3/@@{h 32}
inngest                     signkey-prod-{h 64}
intercom                    dG9rO{b 55}=
intra42                     s-s4t2ud-{h 64}
jina                        jina_{h 32}{w 28}
klaviyo                     pk_{h 34}
langfuse                    sk-lf-{uuid}
langsmith-personal          lsv2_pt_{h 32}_{h 10}
langsmith-service           lsv2_sk_{h 32}_{h 10}
launchdarkly-sdk            sdk-{h 8}-{h 4}-4{h 3}-{h 4}-{h 12}
launchdarkly-api            api-{h 8}-{h 4}-4{h 3}-{h 4}-{h 12}
linear-api                  lin_api_{a 40}
linear-webhook              lin_wh_{a 36}
linear-oauth                lin_oauth_{h 64}
llamacloud                  llx-{a 48}
lob                         live_{h 35}
lob-test                    test_{h 35}
locationiq                  pk.{h 32}
mailchimp                   {h 32}-us{d 2}
mailgun-old                 key-{h 32}
mailgun                     {h 32}-{h 8}-{h 8}
make-webhook                https://hook.eu1.make.com/@@{l 32}
mapbox-secret               sk.eyJ{a 80}.{w 22}
maxmind                     {a 6}_{a 29}_mmk
mem0                        m0-{a 40}
mergify                     mka_{w 43}
midtrans                    Mid-server-{w 24}
mongodb-atlas               mdb_sa_sk_{w 40}
nightfall                   NF-{a 32}
neon                        napi_{l 64}
netlify                     nfp_{a 36}
newrelic-user               NRAK-{u 27}
newrelic-insert             NRII-{w 32}
newrelic-query              NRIQ-{w 32}
newrelic-browser            NRJS-{h 19}
newrelic-license            {h 36}NRAL
newrelic-mobile             AA{h 40}-NRMA
notion                      ntn_{d 11}{a 35}
notion-old                  secret_{a 43}
npm                         npm_{a 36}
nuget                       oy2{l 43}
nvidia                      nvapi-{w 64}
octopus-deploy              API-{u 26}
okta                        00{w 40}
onfido                      api_live.{w 11}.{w 32}
openai-old                  sk-{a 20}T3BlbkFJ{a 20}
openai-project              sk-proj-{w 74}T3BlbkFJ{w 74}
openai-service              sk-svcacct-{w 74}T3BlbkFJ{w 74}
openai-admin                sk-admin-{w 58}T3BlbkFJ{w 58}
openrouter                  sk-or-v1-{h 64}
openshift                   sha256~{w 43}
paddle                      pdl_live_apikey_01{l 24}_{a 22}_{a 3}
pagarme                     ak_live_{a 30}
pagerduty                   u+{a 18}
paystack                    sk_live_{h 40}
perplexity                  pplx-{a 48}
photoroom                   sk_pr_default_{h 40}
pinecone                    pcsk_{a 6}_{a 63}
pinterest                   pina_{u 60}
plaid                       access-production-{uuid}
planetscale-token           pscale_tkn_{w 43}
planetscale-password        pscale_pw_{w 43}
planetscale-oauth           pscale_oauth_{w 43}
polar                       polar_oat_{a 43}
posthog                     phx_{a 43}
postman                     PMAK-{h 24}-{h 34}
prefect-user                pnu_{a 36}
prefect-bot                 pnb_{a 36}
pubnub-secret               sec-c-{a 48}
pubnub-publish              pub-c-{uuid}
pulumi                      pul-{h 40}
pypi                        pypi-AgEIcHlwaS5vcmc{w 150}
quicknode-url               https://late-old-sun.quiknode.pro/@@{h 40}/
ramp-secret                 ramp_sec_{a 48}
razorpay                    rzp_live_{a 14}
readme                      rdme_{l 70}
recharge                    sk_1x1_{h 64}
render                      rnd_{a 28}
replicate                   r8_{a 37}
resend                      re_{a 8}_{a 24}
robinhood                   rh-api-{uuid}
rootly                      rootly_{h 64}
rubygems                    rubygems_{h 48}
salad-cloud                 salad_cloud_user_{a 40}
salesforce-access           00D{a 12}!{a 96}
salesforce-consumer         3MVG9{a 80}
scaleway                    SCW{u 17}
scalingo                    tk-us-{w 48}
sendgrid                    SG.{w 22}.{w 43}
sentry-user                 sntryu_{h 64}
sentry-organization         sntrys_eyJpYXQiO{b 150}_{b 43}
settlemint-application      sm_aat_{a 16}
settlemint-personal         sm_pat_{a 16}
shippo                      shippo_live_{h 40}
shopify-access              shpat_{h 32}
shopify-custom              shpca_{h 32}
shopify-private             shppa_{h 32}
shopify-secret              shpss_{h 32}
slack-bot                   xoxb-{d 12}-{d 12}-{a 24}
slack-user                  xoxp-{d 12}-{d 12}-{d 12}-{h 32}
slack-app                   xapp-1-A{u 10}-{d 13}-{h 64}
slack-config                xoxe.xoxp-1-{u 163}
slack-cookie                xoxd-{b 120}
slack-webhook               https://hooks.slack.com/services/@@T{u 8}/B{u 8}/{a 24}
softlayer-url               https://api.softlayer.com/soap/v3/@@{l 64}
sonar-user                  squ_{h 40}
sonar-project               sqp_{h 40}
sonar-cloud                 sqco_{a 59}
sourcegraph                 sgp_{h 16}_{h 40}
sourcegraph-cody            slk_{h 64}
square-access               sq0atp-{w 22}
square-secret               sq0csp-{w 43}
square-older                EAAA{w 60}
stripe-live                 sk_live_{a 99}
stripe-restricted           rk_live_{a 99}
stripe-organization         sk_org_live_{a 24}
stripe-test                 sk_test_{a 24}
stripe-webhook              whsec_{a 32}
stripe-payment-intent       pi_{a 24}_secret_@@{a 25}
supabase-pat                sbp_{h 40}
supabase-secret             sb_secret_{w 31}
tableau                     {b 22}==:{a 32}
tailscale-auth              tskey-auth-{a 12}CNTRL-{a 32}
tailscale-api               tskey-api-{a 12}CNTRL-{a 32}
tavily                      tvly-dev-{a 32}
teams-webhook               https://acme.webhook.office.com/webhookb2/@@{uuid}@{uuid}/IncomingWebhook/{h 32}/{uuid}
telegram-bot                {d 10}:{w 35}
telegram-url                https://api.telegram.org/bot@@{d 10}:{w 35}
tencent                     AKID{a 32}
terraform-cloud             {a 14}.atlasv1.{w 67}
tines-webhook               https://quiet-hill-1.tines.com/webhook/@@{l 32}/{l 32}
together                    tgp_v1_{w 43}
trigger-dev                 tr_prod_{a 24}
trufflehog                  thog-secret-{h 32}
twilio-account              AC{h 32}
twilio-key                  SK{h 32}
twitter-bearer              AAAAAAAAAAAAAAAAAAAAA{a 20}%2B{a 60}
typeform                    tfp_{w 59}
ubidots                     BBFF-{a 30}
vault-service               hvs.{w 95}
vault-batch                 hvb.{w 140}
vault-old                   s.{a 24}
vercel-blob                 vercel_blob_rw_{a 16}_{a 30}
vercel-user                 vcp_{a 56}
voiceflow                   VF.DM.{h 24}.{a 16}
volcengine                  AKLT{w 43}
voyage                      pa-{w 43}
wakatime                    waka_{uuid}
wandb                       wandb_v1_{w 80}
webex                       {a 64}_{a 4}_{uuid}
xai                         xai-{a 80}
yandex-iam                  t1.{w 60}.{w 86}
yandex-api                  AQVN{w 36}
zapier-webhook              https://hooks.zapier.com/hooks/catch/@@{d 7}/{a 8}/
zoho                        1000.{h 32}.{h 32}
zuplo                       zpka_{h 32}_{h 8}
""".strip().splitlines()
)
