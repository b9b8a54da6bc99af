-- key_secrets: the secrets that keys were made with, one or two of them for each year of the deployment.
select check_value from key_secrets where check_value > ''
